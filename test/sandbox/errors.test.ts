import { describe, expect, it } from "vitest";
import { errorOf, ORIGIN, openSandbox } from "./sandbox-client.ts";

const fox = { prompt: "A fox" };

// Spec 7.
describe("the error body", () => {
  it("is an object error with a human-readable message; type is optional", async () => {
    const { queue } = openSandbox();
    const plain = await queue("GET", "/apikey/requests/none");
    expect(plain.json).toEqual({ error: { message: "Request none does not exist" } });
    const typed = await queue("GET", "/apikey/models/none");
    expect(typed.json).toEqual({ error: { message: "No endpoints for model none", type: "endpoint_error" } });
    expect(typed.headers.get("content-type")).toContain("application/json");
  });
});

// Spec 7.
describe("the table of errors", () => {
  it.each(["{", "", "[]", "null", '"text"'])("400: malformed JSON (%j)", async (body) => {
    const { queue, sandbox } = openSandbox();
    for (const path of ["/apikey/requests", "/apikey/requests/estimate", "/apikey/upload-url"]) {
      expect((await queue("POST", path, { body })).status).toBe(400);
    }
    expect(sandbox.inspect().ledger).toEqual([]);
  });

  it.each([{ payload: fox }, { model: "", payload: fox }, { model: 5, payload: fox }])(
    "400: model field missing (%j)",
    async (body) => {
      const answer = await openSandbox().queue("POST", "/apikey/requests", { body });
      expect(answer.status).toBe(400);
      expect(errorOf(answer).message).toContain("model");
    },
  );

  it.each([{ model: "lumen-2" }, { model: "lumen-2", payload: "A fox" }, { model: "lumen-2", payload: [] }])(
    "400: payload missing or no object (%j)",
    async (body) => {
      const answer = await openSandbox().queue("POST", "/apikey/requests", { body });
      expect(answer.status).toBe(400);
      expect(errorOf(answer).message).toContain("payload");
    },
  );

  it("404: unknown model, message begins 'No endpoints for model'", async () => {
    const { submit, estimate, queue, sandbox } = openSandbox();
    for (const answer of [
      await submit("none", fox),
      await estimate("none", fox),
      await queue("GET", "/apikey/models/none"),
    ]) {
      expect(answer.status).toBe(404);
      expect(errorOf(answer).message).toMatch(/^No endpoints for model/);
    }
    expect(sandbox.inspect().ledger).toEqual([]);
  });

  // Spec 1.
  it("404: a text model id sent to the queue, message 'no endpoint for model'", async () => {
    const { submit, estimate, queue, raw, sandbox } = openSandbox();
    const { json } = await raw("GET", `${ORIGIN}/sandbox/v1/models`, { key: "sandbox-key" });
    const [textModel] = json.data as { id: string }[];
    const id = textModel?.id ?? "";
    const detail = await queue("GET", `/apikey/models/${encodeURIComponent(id)}`);
    for (const answer of [await submit(id, fox), await estimate(id, fox), detail]) {
      expect(answer.status).toBe(404);
      expect(errorOf(answer).message).toContain("no endpoint for model");
    }
    expect(sandbox.inspect().ledger).toEqual([]);
  });

  it("404: an unknown job, and an unknown path", async () => {
    const { queue, raw } = openSandbox();
    expect((await queue("GET", "/apikey/requests/00000000-0000-4000-8000-000000000000")).status).toBe(404);
    expect((await queue("GET", "/apikey/nothing")).status).toBe(404);
    expect((await raw("GET", `${ORIGIN}/sandbox/elsewhere`)).status).toBe(404);
  });

  it.each([
    ["POST", "/apikey/models"],
    ["PUT", "/apikey/requests"],
    ["DELETE", "/apikey/requests/some-id"],
    ["GET", "/apikey/upload-url"],
    ["GET", "/apikey/requests/some-id/media"],
    ["OPTIONS", "/apikey/models"],
  ])("405: wrong method for the path (%s %s)", async (method, path) => {
    expect((await openSandbox().queue(method, path)).status).toBe(405);
  });

  it.each([
    ["POST", "/v1/models"],
    ["GET", "/v1/completions"],
    ["PUT", "/v1/responses"],
    ["DELETE", "/v1/messages"],
  ])("405: only GET /v1/models and POST on inference paths are accepted (%s %s)", async (method, path) => {
    expect((await openSandbox().raw(method, `${ORIGIN}/sandbox${path}`, { key: "sandbox-key" })).status).toBe(405);
  });

  // Spec 1.
  it.each(["/v1/embeddings", "/v1/audio/speech", "/v1/images/generations"])("404: %s is not provided", async (path) => {
    const answer = await openSandbox().raw("POST", `${ORIGIN}/sandbox${path}`, { key: "sandbox-key", body: {} });
    expect(answer.status).toBe(404);
  });

  // Spec 8.
  it("429: a key over its rate limit, without Retry-After, for a minute", async () => {
    const { queue, pass } = openSandbox({ rateLimits: { perKey: 2 } });
    const models = (key = "sandbox-key") => queue("GET", "/apikey/models", { key });
    expect([(await models()).status, (await models()).status]).toEqual([200, 200]);
    const refused = await models();
    expect(refused.status).toBe(429);
    expect(errorOf(refused).type).toBe("rate_limit_exceeded");
    expect(refused.headers.has("retry-after")).toBe(false);
    expect((await models("sandbox-key-2")).status).toBe(200);
    pass(60);
    expect((await models()).status).toBe(200);
  });

  it("429: an organization over its rate limit, with any of its keys", async () => {
    const { queue } = openSandbox({ rateLimits: { perOrganisation: 2 } });
    const models = async (key: string) => (await queue("GET", "/apikey/models", { key })).status;
    expect([await models("sandbox-key"), await models("sandbox-key-2"), await models("sandbox-key")]).toEqual([
      200, 200, 429,
    ]);
    expect(await models("sandbox-key-other-organisation")).toBe(200);
  });

  it("a submit that meets the rate limit makes no job and no charge", async () => {
    const { submit, sandbox } = openSandbox({ rateLimits: { perKey: 0 } });
    expect((await submit("lumen-2", fox)).status).toBe(429);
    expect(sandbox.inspect()).toMatchObject({ ledger: [], jobs: [] });
  });

  it.each([
    [429, "Rate limit", "rate_limit_exceeded"],
    [502, "All endpoints failed for lumen-2", "endpoint_error"],
    [503, "temporarily unavailable", undefined],
    [500, "Internal", undefined],
    [402, "Insufficient credits", undefined],
    [403, "requires VIP access", undefined],
    [418, "418", undefined],
  ])("%i follows error: in the prompt, with its message and without a charge", async (status, message, type) => {
    const { submit, estimate, sandbox } = openSandbox();
    const answer = await submit("lumen-2", { prompt: `A fox, error:${status}` });
    expect(answer.status).toBe(status);
    expect(errorOf(answer).message).toContain(message);
    expect(errorOf(answer).type).toBe(type);
    expect(answer.headers.has("retry-after")).toBe(false);
    expect(sandbox.inspect()).toMatchObject({ ledger: [], jobs: [] });
    expect((await estimate("lumen-2", { prompt: `A fox, error:${status}` })).status).toBe(200);
  });

  it("a provider's other errors are passed through with status and body", async () => {
    const { status, json } = await openSandbox().submit("lumen-2", { prompt: "error:provider" });
    expect(status).toBe(400);
    expect(json.error).toMatchObject({
      type: "backend_error",
      code: 400,
      details: expect.stringContaining("malformed"),
    });
  });
});

describe("documented inputs", () => {
  it("error:429x2 in the prompt fails twice, then makes exactly one job", async () => {
    const { submit, sandbox } = openSandbox();
    const statuses = [];
    for (let round = 0; round < 4; round += 1)
      statuses.push((await submit("lumen-2", { prompt: "A fox error:429x2" })).status);
    expect(statuses).toEqual([429, 429, 200, 200]);
    expect(sandbox.inspect().jobs).toHaveLength(2);
  });

  it("estimate-error: fails the estimate alone, and counts each payload by itself", async () => {
    const { estimate, submit } = openSandbox();
    const prompt = "A fox estimate-error:503x1";
    const first = await estimate("lumen-2", { prompt });
    const second = await estimate("lumen-2", { prompt });
    const other = await estimate("lumen-2", { prompt, n: 2 });
    expect([first.status, second.status, other.status]).toEqual([503, 200, 503]);
    expect((await submit("lumen-2", { prompt })).status).toBe(200);
  });

  it("poll-error: fails only reads of the job", async () => {
    const { submit, job } = openSandbox();
    const { json } = await submit("halide-video", { prompt: "A fox poll-error:502x2" });
    const statuses = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await job(json.request_id)).status);
    expect(statuses).toEqual([502, 502, 200]);
  });

  it("error: in a model id, job id or list filter fails that request", async () => {
    const { queue } = openSandbox();
    expect((await queue("GET", "/apikey/models/error:503")).status).toBe(503);
    expect((await queue("GET", "/apikey/requests/error:502")).status).toBe(502);
    expect((await queue("GET", "/apikey/requests?model_id=error:429x1")).status).toBe(429);
    expect((await queue("GET", "/apikey/requests?model_id=error:429x1")).status).toBe(200);
  });

  it("a fault in the settings fails the named endpoint so many times", async () => {
    const { queue, sandbox } = openSandbox();
    sandbox.configure({ faults: [{ endpoint: "models", status: 503, times: 1 }] });
    expect((await queue("GET", "/apikey/requests")).status).toBe(200);
    expect((await queue("GET", "/apikey/models")).status).toBe(503);
    expect((await queue("GET", "/apikey/models")).status).toBe(200);
    sandbox.configure({ faults: [{ endpoint: "*", status: 502 }] });
    expect((await queue("GET", "/apikey/models")).status).toBe(502);
    expect((await queue("GET", "/apikey/requests")).status).toBe(502);
  });

  it("lose:request breaks the connection before the job is made, lose:reply after", async () => {
    const { sandbox } = openSandbox();
    const send = (prompt: string) =>
      sandbox.fetch(
        new Request(`${ORIGIN}/sandbox/api/v1/queue/apikey/requests`, {
          method: "POST",
          headers: { authorization: "Bearer sandbox-key" },
          body: JSON.stringify({ model: "lumen-2", payload: { prompt } }),
        }),
      );
    expect((await send("lose:request")).type).toBe("error");
    expect(sandbox.inspect()).toMatchObject({ jobs: [], ledger: [] });
    expect((await send("lose:reply")).type).toBe("error");
    expect(sandbox.inspect().jobs).toHaveLength(1);
    expect(sandbox.inspect().chargedMicroUsd).toBe(35_000);
  });
});
