import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NoAnswerError, RefusedError, UnreadableAnswerError, UnusableIdError } from "#api/api-error.ts";
import { type Api, createApi, readEstimate } from "#api/create-api.ts";
import fc from "../setup/fc.ts";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";
import { withKey } from "../setup/with-key.ts";
import { serveAnswers, serveJson } from "./answer-server.ts";

const KEY = "canary-key-0123456789";
const apiAt = (url: string) =>
  createApi(withKey({ queueBaseUrl: `${url}/api/v1/queue`, inferenceBaseUrl: url, key: KEY }));

// Spec 4.1, 4.2.
describe("requests", () => {
  it("go to the documented paths with the documented bodies", async () => {
    const { url, seen } = await serveJson({
      model_ids: [],
      data: [],
      request_id: "r1",
      status: "queued",
      price: 1,
      currency: "micro_usd",
      upload_url: "/put",
      public_url: "/get",
      requests: [],
    });
    const api = apiAt(url);
    const request = { model: "m", payload: { prompt: "p" } };
    await api.listModelIds();
    await api.getModel("vendor/some model");
    await api.estimate(request);
    await api.submit(request);
    await api.getJob("r1");
    await api.listJobs({
      model_id: "a b",
      model_type: ["image", "video"],
      status: ["success", "failed"],
      created_after: 1,
      created_before: 2,
      limit: 1000,
      offset: 20,
    });
    await api.requestUpload("jpg");
    await api.deleteMedia("r1");
    await api.listTextModels();
    const queue = "/api/v1/queue/apikey";
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${queue}/models`,
      `GET ${queue}/models/vendor%2Fsome%20model`,
      `POST ${queue}/requests/estimate`,
      `POST ${queue}/requests`,
      `GET ${queue}/requests/r1`,
      `GET ${queue}/requests?model_id=a+b&model_type=image%2Cvideo&status=success%2Cfailed&created_after=1&created_before=2&limit=1000&offset=20`,
      `POST ${queue}/upload-url`,
      `DELETE ${queue}/requests/r1/media`,
      "GET /v1/models",
    ]);
    expect(seen.filter(({ body }) => body !== "").map(({ body }) => JSON.parse(body))).toEqual([
      request,
      request,
      { file_type: "jpg" },
    ]);
  });

  // Spec 5.1.
  it("carry the key as a bearer token and nothing else of the page", async () => {
    const { url, seen } = await serveJson({ model_ids: [] });
    await apiAt(url).listModelIds();
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(seen[0]?.headers["x-api-key"]).toBeUndefined();
    expect(seen[0]?.headers.cookie).toBeUndefined();
    expect(seen[0]?.headers.referer).toBeUndefined();
  });

  // Spec 4.1: all optional.
  it("leave empty filters out", async () => {
    const { url, seen } = await serveJson({ requests: [] });
    await apiAt(url).listJobs({ status: [], model_id: "", limit: 20 });
    expect(seen[0]?.url).toBe("/api/v1/queue/apikey/requests?limit=20");
  });

  it.each(["..", ".", "", "a/b", "a?b", "%2e%2e", "a#b", "a\0b", "x".repeat(201)])(
    "are not made at all for the job id %j",
    async (id) => {
      const { url, seen } = await serveJson({});
      await expect(apiAt(url).getJob(id)).rejects.toBeInstanceOf(UnusableIdError);
      await expect(apiAt(url).deleteMedia(id)).rejects.toBeInstanceOf(UnusableIdError);
      expect(seen).toEqual([]);
    },
  );

  it.each(["..", "a/../b", "a\\..\\b", " ", "a\nb", "\ud800"])(
    "are not made at all for the model id %j",
    async (id) => {
      const { url, seen } = await serveJson({});
      await expect(apiAt(url).getModel(id)).rejects.toBeInstanceOf(UnusableIdError);
      expect(seen).toEqual([]);
    },
  );
});

// Spec 4.1.
describe("submit", () => {
  it.each([429, 500, 502, 503])("is one POST and stays one after a %i", async (status) => {
    const { url, seen } = await serveJson({ error: { message: "busy" } }, status);
    await expect(apiAt(url).submit({ model: "m", payload: {} })).rejects.toMatchObject({ status, message: "busy" });
    expect(seen).toHaveLength(1);
  });

  it("is no answer, and one POST, when the connection ends inside the answer", async () => {
    const { url, seen } = await serveAnswers((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
      response.write('{"request_id":"r1"', () => response.destroy());
    });
    await expect(apiAt(url).submit({ model: "m", payload: {} })).rejects.toBeInstanceOf(NoAnswerError);
    expect(seen).toHaveLength(1);
  });

  it("has the request's model when the answer does not repeat it", async () => {
    const { url } = await serveJson({ request_id: "r1", status: "queued" });
    await expect(apiAt(url).submit({ model: "m", payload: {} })).resolves.toMatchObject({
      model: "m",
      status: "queued",
    });
  });
});

describe("answers", () => {
  it("of another kind than JSON are unreadable", async () => {
    const { url } = await serveAnswers((_request, response) => response.end("<html>Welcome to the hotel</html>"));
    await expect(apiAt(url).listModelIds()).rejects.toBeInstanceOf(UnreadableAnswerError);
  });

  // Spec 4.1 rule 6.
  it("that are empty are unreadable, except for a delete", async () => {
    const { url } = await serveAnswers((_request, response) => response.writeHead(204).end());
    await expect(apiAt(url).listModelIds()).rejects.toBeInstanceOf(UnreadableAnswerError);
    await expect(apiAt(url).deleteMedia("r1")).resolves.toBeUndefined();
  });

  it("that redirect are not followed, so the key reaches no other host", async () => {
    const other = await serveJson({ model_ids: ["stolen"] });
    const { url } = await serveAnswers((_request, response) => response.writeHead(307, { location: other.url }).end());
    await expect(apiAt(url).listModelIds()).rejects.toBeInstanceOf(NoAnswerError);
    expect(other.seen).toEqual([]);
  });

  it("that never come because the connection breaks are no answer", async () => {
    const { url } = await serveAnswers(({ socket }) => socket.resetAndDestroy());
    await expect(apiAt(url).listModelIds()).rejects.toBeInstanceOf(NoAnswerError);
  });

  it("without end are cut off", async () => {
    const { url } = await serveAnswers((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(" ".repeat(1 << 20)));
      };
      response.on("drain", more);
      more();
    });
    await expect(apiAt(url).listModelIds()).rejects.toBeInstanceOf(UnreadableAnswerError);
  });

  it("that repeat the key do not carry it into an error", async () => {
    const { url } = await serveJson({ error: { message: `Key ${KEY} is revoked` } }, 401);
    const error = await apiAt(url)
      .listModelIds()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RefusedError);
    expect(JSON.stringify([error, (error as Error).message, (error as Error).stack])).not.toContain(KEY);
  });
});

describe("an abort", () => {
  it("ends the request with its own reason and is no error of the service", async () => {
    const controller = new AbortController();
    const { url } = await serveAnswers(() => controller.abort());
    const asking = apiAt(url).listModelIds(controller.signal);
    await expect(asking).rejects.toMatchObject({ name: "AbortError" });
  });

  it("before the start sends nothing", async () => {
    const { url, seen } = await serveJson({});
    await expect(apiAt(url).submit({ model: "m", payload: {} }, AbortSignal.abort())).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(seen).toEqual([]);
  });
});

describe("an estimate", () => {
  it("is a whole number of micro-USD", () => {
    expect(readEstimate({ model: "m", price: 140_000, currency: "micro_usd" }, "m")).toEqual({
      model: "m",
      priceMicroUsd: 140_000,
    });
  });

  it("may be zero", () => {
    expect(readEstimate({ price: 0, currency: "micro_usd" }, "m")).toEqual({ model: "m", priceMicroUsd: 0 });
  });

  it.each([-1, 0.14, "140000", Number.NaN, 2 ** 53, 1e21, null, undefined])("is unknown for the price %s", (price) => {
    expect(() => readEstimate({ model: "m", price, currency: "micro_usd" }, "m")).toThrow(UnreadableAnswerError);
  });

  it.each(["usd", "eur", "MICRO_USD", undefined])("is unknown for the currency %s", (currency) => {
    expect(() => readEstimate({ model: "m", price: 1, currency }, "m")).toThrow(UnreadableAnswerError);
  });

  it("is a valid price or an error for any JSON", () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        try {
          expect(Number.isSafeInteger(readEstimate(raw, "m").priceMicroUsd)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableAnswerError);
        }
      }),
    );
  });
});

// Spec 2.

describe("the functions against the sandbox", () => {
  let server: SandboxServer;
  let api: Api;
  beforeEach(() => {
    server = startSandboxServer();
    api = createApi(withKey({ ...server, key: "sandbox-key" }));
  });
  afterEach(() => server.close());

  // Spec 4.1.
  it("list the models and read each of them", async () => {
    const ids = await api.listModelIds();
    expect(ids.length).toBeGreaterThanOrEqual(14);
    const details = await Promise.all(ids.map((id) => api.getModel(id)));
    expect(details.map(({ id }) => id)).toEqual(ids);
    for (const { type, raw } of details) {
      expect(["image", "video", "audio"]).toContain(type);
      expect(raw).toMatchObject({ parameters: expect.any(Array) });
    }
  });
});
