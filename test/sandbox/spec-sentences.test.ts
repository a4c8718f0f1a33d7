import { describe, expect, it } from "vitest";
import { CATALOGUE } from "#sandbox/catalogue/catalogue.ts";
import { errorOf, mediaOf, ORIGIN, openSandbox } from "./sandbox-client.ts";

const INFERENCE = `${ORIGIN}/sandbox`;
const TEXT_PATHS = ["/v1/completions", "/v1/responses", "/v1/messages"];
const FOX = { prompt: "A fox" };

// Spec 1.
describe("what the service does", () => {
  it("estimate, submit, poll to a final status and download work in turn", async () => {
    const { estimate, submit, job, pass, raw, sandbox } = openSandbox();
    const { price } = (await estimate("halide-video", FOX)).json;
    const { request_id: id, status } = (await submit("halide-video", FOX)).json;
    expect(status).toBe("queued");
    let polled = await job(id);
    for (let poll = 0; poll < 60 && polled.json.status === "queued"; poll += 1) {
      pass(10);
      polled = await job(id);
    }
    expect(polled.json.status).toBe("success");
    const file = await raw("GET", mediaOf(polled)[0]?.url ?? "");
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect(sandbox.inspect().chargedMicroUsd).toBe(price);
  });

  it("text endpoints answer 404 'no endpoint for model' for a generation model", async () => {
    const { raw, sandbox } = openSandbox();
    const asked = { ...FOX, input: "A fox", max_tokens: 5, messages: [{ role: "user", content: "A fox" }] };
    for (const path of [...TEXT_PATHS, "/v1/chat/completions"]) {
      const body = { model: "lumen-2", ...asked };
      const answer = await raw("POST", `${INFERENCE}${path}`, { key: "sandbox-key", body });
      expect([answer.status, errorOf(answer).message]).toEqual([404, "no endpoint for model lumen-2"]);
    }
    expect(sandbox.inspect().jobs).toEqual([]);
  });

  it("chat completions answer which endpoint to use instead, without a charge", async () => {
    const { raw, sandbox } = openSandbox();
    const body = { model: "quill-2", messages: [{ role: "user", content: "Hello" }] };
    const answer = await raw("POST", `${INFERENCE}/v1/chat/completions`, { key: "sandbox-key", body });
    expect([answer.status, errorOf(answer).message]).toEqual([501, expect.stringContaining("/v1/responses")]);
    expect(sandbox.inspect().ledger).toEqual([]);
  });
});

// Spec 2.
describe("estimate and submit", () => {
  it.each(CATALOGUE.filter(({ state }) => state === undefined).map(({ id }) => id))(
    "%s: both apply defaults, and the estimate equals the charge",
    async (id) => {
      const { estimate, submit, sandbox } = openSandbox();
      const payload = smallestPayload(id);
      const priced = await estimate(id, payload);
      expect(priced.json).toEqual({ model: id, price: expect.any(Number), currency: "micro_usd" });
      expect((await submit(id, payload)).json).toMatchObject({ model: id });
      expect(sandbox.inspect().ledger[0]).toMatchObject({ kind: "charge", amountMicroUsd: priced.json.price });
    },
  );

  it.each([
    "https://example.com/cat.png",
    "http://example.com:8080/cat.png?signature=a%2Fb&expires=1#part",
    "https://93.184.216.34/cat",
    "https://bücher.example/Katze 1.png",
  ])("an input-media field takes any publicly fetchable URL: %s", async (url) => {
    const answer = await openSandbox().submit("grainfield-edit", { instruction: "Blue", image_url: url });
    expect(answer.json.error ?? answer.status).toBe(200);
  });
});

/** What a model asks for at least. */
function smallestPayload(id: string): Record<string, unknown> {
  const parameters = CATALOGUE.find((model) => model.id === id)?.parameters ?? [];
  const value = ({ name, type }: { name: string; type: string }) => {
    if (/url|image|video|audio|clip|frame/i.test(`${name} ${type}`)) {
      return /list|array/i.test(type) ? ["https://example.com/a.png"] : "https://example.com/a.png";
    }
    return "A fox";
  };
  const needed = parameters.filter(({ wire }) => wire.required !== undefined && wire.required !== false);
  return Object.fromEntries(
    needed.filter(({ wire }) => wire.default_value === undefined).map(({ wire }) => [wire.name, value(wire)]),
  );
}

// Spec 2.
describe("the job record", () => {
  it("each file has its index as id, a kind of media and an address", async () => {
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

// Spec 3.
describe("success, failed and cancelled are final", () => {
  const endings = [
    ["success", "A fox"],
    ["failed", "A fox, fail:provider"],
    ["cancelled", "A fox, cancel:operator"],
  ] as const;

  it.each(endings)("after %s the record never changes again", async (status, prompt) => {
    const { submit, job, pass } = openSandbox();
    const { json } = await submit("halide-video", { prompt });
    pass(300);
    const final = (await job(json.request_id)).json;
    expect(final.status).toBe(status);
    pass(365 * 86_400);
    expect((await job(json.request_id)).json).toEqual(final);
  });

  it.each(endings)("DELETE media leaves %s as it is, and keeps record, usage and billing", async (status, prompt) => {
    const { submit, job, pass, queue, sandbox } = openSandbox();
    const { json } = await submit("halide-video", { prompt });
    pass(300);
    const final = (await job(json.request_id)).json;
    const { ledger } = sandbox.inspect();
    expect((await queue("DELETE", `/apikey/requests/${json.request_id}/media`)).status).toBe(200);
    expect((await job(json.request_id)).json).toEqual(final);
    expect(final.status).toBe(status);
    expect(sandbox.inspect().ledger).toEqual(ledger);
    expect((await queue("GET", `/apikey/requests?status=${status}`)).json.total).toBe(1);
  });
});

// Spec 4.1.
describe("paths", () => {
  it.each(["/models", "/requests", "/apikey", "/apikey/", "/apikey/models/", "/apikey/requests/a/b"])(
    "%s is no path of the queue",
    async (path) => {
      expect((await openSandbox().queue("GET", path)).status).toBe(404);
    },
  );

  it("GET of the estimate's path answers 405, not an unknown job", async () => {
    expect((await openSandbox().queue("GET", "/apikey/requests/estimate")).status).toBe(405);
  });
});

// Spec 4.2.
describe("the three text endpoints", () => {
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

  // Spec 7, 8.
  it.each(TEXT_PATHS)("%s sends no Retry-After with a 429", async (path) => {
    const { raw } = openSandbox({ rateLimits: { perOrganisation: 0 } });
    const { status, headers } = await raw("POST", `${INFERENCE}${path}`, { key: "sandbox-key", body: {} });
    expect([status, headers.get("retry-after")]).toEqual([429, null]);
  });
});

// Spec 5.
describe("one key for both halves", () => {
  // Spec 5 rules 2 and 4.
  it("a key's limit counts queue and inference requests together", async () => {
    const { queue, raw } = openSandbox({ rateLimits: { perKey: 2 } });
    const models = async () => (await raw("GET", `${INFERENCE}/v1/models`, { key: "sandbox-key" })).status;
    expect([(await queue("GET", "/apikey/models")).status, await models(), await models()]).toEqual([200, 200, 429]);
    expect((await queue("GET", "/apikey/models")).status).toBe(429);
  });

  // Spec 5 rule 1.
  it("a key in the address or in a cookie is refused", async () => {
    const { raw } = openSandbox();
    const path = `${INFERENCE}/api/v1/queue/apikey/models`;
    expect((await raw("GET", `${path}?key=sandbox-key&api_key=sandbox-key`)).status).toBe(401);
    expect((await raw("GET", path, { headers: { cookie: "key=sandbox-key" } })).status).toBe(401);
  });
});

// Spec 6.
describe("there are no events", () => {
  it("a job is answered as JSON when an event stream is asked for", async () => {
    const { submit, job } = openSandbox();
    const { json } = await submit("halide-video", FOX);
    const answer = await job(json.request_id, { headers: { accept: "text/event-stream" } });
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  });

  it.each(["webhook", "callback_url"])("a payload with %s is refused", async (name) => {
    const answer = await openSandbox().submit("lumen-2", { ...FOX, [name]: "https://example.com/hook" });
    expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringContaining(name)]);
  });
});

// Spec 7.
describe("errors", () => {
  it.each([400, 401, 403, 404, 429, 502, 503])("the error of a %i has a readable message", async (status) => {
    const answer = await openSandbox().submit("lumen-2", { prompt: `error:${status}` });
    expect([answer.status, errorOf(answer).message.length > 10]).toEqual([status, true]);
  });
});

// Spec 9.
describe("versioning", () => {
  it.each(["/api/v2/queue/apikey/models", "/api/queue/apikey/models", "/v2/models", "/models"])(
    "%s, without the version segment v1, does not exist",
    async (path) => {
      expect((await openSandbox().raw("GET", `${INFERENCE}${path}`, { key: "sandbox-key" })).status).toBe(404);
    },
  );
});
