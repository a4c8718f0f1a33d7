import { describe, expect, it } from "vitest";
import { errorOf, mediaOf, ORIGIN, openSandbox } from "./sandbox-client.ts";

const INFERENCE = `${ORIGIN}/sandbox`;
const TEXT_PATHS = ["/v1/completions", "/v1/responses", "/v1/messages"];
const FOX = { prompt: "A fox" };

describe("spec 2: the job record", () => {
  it("each file has an id that is its index within the job, a kind of media and an address", async () => {
    const files = mediaOf(await openSandbox().submit("lumen-2", { ...FOX, n: 3 }));
    expect(files).toHaveLength(3);
    expect(files.map(({ id }) => id)).toEqual(files.map((_, index) => String(index)));
    for (const { type, url } of files) expect([type, URL.canParse(url)]).toEqual(["image", true]);
  });

  it("the status is one of queued, success, failed, cancelled", async () => {
    const { queue } = openSandbox({ history: 500 });
    const { json } = await queue("GET", "/apikey/requests?limit=500");
    const statuses = (json.requests as { status: string }[]).map(({ status }) => status);
    for (const status of statuses) expect(["queued", "success", "failed", "cancelled"]).toContain(status);
  });
});

describe("spec 4.2: the three text endpoints", () => {
  it.each(TEXT_PATHS)("%s uses the same authentication and the same error model", async (path) => {
    const { raw } = openSandbox();
    const call = (key: string | undefined, body: unknown) => raw("POST", `${INFERENCE}${path}`, { key, body });
    for (const key of [undefined, "no-such-key", "revoked-key"]) {
      const answer = await call(key, {});
      expect([answer.status, errorOf(answer).message]).toEqual([401, expect.any(String)]);
    }
    const unknown = await call("sandbox-key", {
      model: "no-such",
      prompt: "x",
      input: "x",
      max_tokens: 5,
      messages: [],
    });
    expect([unknown.status, errorOf(unknown).message]).toEqual([404, expect.stringMatching(/^No endpoints for model/)]);
  });

  it.each(TEXT_PATHS)("%s sends no Retry-After with a 429 (spec 7, 8)", async (path) => {
    const { raw } = openSandbox({ rateLimits: { perOrganisation: 0 } });
    const { status, headers } = await raw("POST", `${INFERENCE}${path}`, { key: "sandbox-key", body: {} });
    expect([status, headers.get("retry-after")]).toEqual([429, null]);
  });
});

describe("spec 6: there are no events", () => {
  it("a job is answered as JSON, also where an event stream is asked for", async () => {
    const { submit, job } = openSandbox();
    const { json } = await submit("halide-video", FOX);
    const answer = await job(json.request_id, { headers: { accept: "text/event-stream" } });
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  });

  it.each(["webhook", "callback_url"])("a payload takes no %s", async (name) => {
    const answer = await openSandbox().submit("lumen-2", { ...FOX, [name]: "https://example.com/hook" });
    expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringContaining(name)]);
  });
});

describe("spec 7: errors", () => {
  it.each([400, 401, 403, 404, 429, 502, 503])("the error of a %i has a message for people", async (status) => {
    const answer = await openSandbox().submit("lumen-2", { prompt: `error:${status}` });
    expect([answer.status, errorOf(answer).message.length > 10]).toEqual([status, true]);
  });
});

describe("spec 9: versioning", () => {
  it.each(["/api/v2/queue/apikey/models", "/api/queue/apikey/models", "/v2/models", "/models"])(
    "%s, without the version segment v1, does not exist",
    async (path) => {
      expect((await openSandbox().raw("GET", `${INFERENCE}${path}`, { key: "sandbox-key" })).status).toBe(404);
    },
  );
});
