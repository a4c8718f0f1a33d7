import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { isServiceRequest } from "#lib/service-requests.ts";
import { createContext, ENDPOINT_GROUPS } from "#sandbox/create-sandbox.ts";
import { type Answer, type CallOptions, errorOf, ORIGIN, openSandbox } from "./sandbox-client.ts";

const QUEUE = "/api/v1/queue/apikey";
const GENERATION = "lumen-2";
const TEXT = "quill-2";

interface Endpoint {
  name: string;
  path: string;
  /** For endpoints that name a model: one of their own catalogue. */
  model?: string;
  /** The body for a model and a prompt; undefined where there is none. */
  body?: (model: string | undefined, prompt: string) => JsonRecord;
}

const job = (model: string | undefined, prompt: string) => ({ model, payload: { prompt } });

/** Every endpoint of spec 4; `:id` stands for a job of the caller's own, `:model` for a model. */
const ENDPOINTS: Endpoint[] = [
  { name: "GET /apikey/models", path: `${QUEUE}/models` },
  { name: "GET /apikey/models/{model_id}", path: `${QUEUE}/models/:model`, model: GENERATION },
  { name: "POST /apikey/requests/estimate", path: `${QUEUE}/requests/estimate`, model: GENERATION, body: job },
  { name: "POST /apikey/requests", path: `${QUEUE}/requests`, model: GENERATION, body: job },
  { name: "GET /apikey/requests/{request_id}", path: `${QUEUE}/requests/:id` },
  { name: "GET /apikey/requests", path: `${QUEUE}/requests` },
  { name: "POST /apikey/upload-url", path: `${QUEUE}/upload-url`, body: () => ({ file_type: "png" }) },
  { name: "DELETE /apikey/requests/{request_id}/media", path: `${QUEUE}/requests/:id/media` },
  {
    name: "POST /v1/completions",
    path: "/v1/completions",
    model: TEXT,
    body: (model, prompt) => ({ model, prompt }),
  },
  { name: "POST /v1/responses", path: "/v1/responses", model: TEXT, body: (model, input) => ({ model, input }) },
  {
    name: "POST /v1/messages",
    path: "/v1/messages",
    model: TEXT,
    body: (model, content) => ({ model, max_tokens: 20, messages: [{ role: "user", content }] }),
  },
  {
    name: "POST chat completions",
    path: "/v1/chat/completions",
    model: TEXT,
    body: (model, content) => ({ model, messages: [{ role: "user", content }] }),
  },
  { name: "GET /v1/models", path: "/v1/models" },
];
const WITH_BODY = ENDPOINTS.filter(({ body }) => body !== undefined);
const WITH_MODEL = ENDPOINTS.filter(({ model }) => model !== undefined);
const NAMING_MODEL_IN_BODY = WITH_MODEL.filter(({ body }) => body !== undefined);
const GENERATING = NAMING_MODEL_IN_BODY.filter(({ name }) => !/estimate|chat/.test(name));

interface Change extends CallOptions {
  method?: string;
  model?: string | undefined;
  prompt?: string;
}

/** A sandbox with one finished job, and a call of an endpoint in which something is wrong. */
async function caller(endpoint: Endpoint) {
  const client = openSandbox({ wait: () => Promise.resolve() });
  const made = await client.submit(GENERATION, { prompt: "A fox" });
  const before = client.sandbox.inspect();
  const call = (change: Change = {}) => {
    const { model = endpoint.model, prompt = "A fox", method = endpoint.name.split(" ")[0] ?? "", ...options } = change;
    const named = "model" in change ? change.model : model;
    const path = endpoint.path.replace(":id", String(made.json.request_id)).replace(":model", named ?? "");
    const body = endpoint.body?.(named, prompt);
    const sent = body === undefined || method !== endpoint.name.split(" ")[0] ? {} : { body };
    return client.raw(method, `${ORIGIN}/sandbox${path}`, { key: "sandbox-key", ...sent, ...options });
  };
  /** Spec 7: the error body; and that a refusal moved no money and made no job. */
  const expectRefusal = (answer: Answer, status: number, message = /\S/) => {
    expect([answer.status, errorOf(answer).message]).toEqual([status, expect.stringMatching(message)]);
    expect(answer.headers.get("retry-after")).toBeNull();
    const { ledger, jobs } = client.sandbox.inspect();
    expect({ ledger, jobs }).toEqual({ ledger: before.ledger, jobs: before.jobs });
  };
  return { ...client, call, expectRefusal };
}

type Caller = Awaited<ReturnType<typeof caller>>;

/** Each row of the table in spec 7, with the endpoints that it fits. */
const ROWS: [row: string, endpoints: Endpoint[], prove: (caller: Caller, endpoint: Endpoint) => Promise<void>][] = [
  [
    "nothing is wrong, and the body is JSON (spec 1 and 4)",
    ENDPOINTS.filter(({ name }) => !/chat/.test(name)),
    async ({ call }) => {
      const answer = await call();
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    },
  ],
  [
    "400, malformed JSON",
    WITH_BODY,
    async ({ call, expectRefusal }) => {
      expectRefusal(await call({ body: '{"model":' }), 400);
    },
  ],
  [
    "400, model field missing",
    NAMING_MODEL_IN_BODY,
    async ({ call, expectRefusal }) => {
      expectRefusal(await call({ model: undefined }), 400, /model/);
    },
  ],
  [
    "401, missing, invalid or revoked key",
    ENDPOINTS,
    async ({ call, expectRefusal }) => {
      for (const key of [undefined, "no-such-key", "revoked-key"]) expectRefusal(await call({ key }), 401);
    },
  ],
  [
    "403, a pool that the organization may not use",
    WITH_MODEL,
    async ({ call, expectRefusal }) => {
      expectRefusal(await call({ headers: { "x-resource-group": "vip" } }), 403, /requires VIP access/);
    },
  ],
  [
    "404, unknown model",
    WITH_MODEL,
    async ({ call, expectRefusal }) => {
      expectRefusal(await call({ model: "no-such" }), 404, /^No endpoints for model no-such/);
    },
  ],
  [
    "404, a model id of the other catalogue",
    WITH_MODEL,
    async ({ call, expectRefusal }, { model }) => {
      expectRefusal(await call({ model: model === TEXT ? GENERATION : TEXT }), 404, /no endpoint for model/);
    },
  ],
  [
    "404, a temporarily inactive model",
    ENDPOINTS.filter(({ name }) => name === "POST /apikey/requests"),
    async ({ call, expectRefusal }) => {
      expectRefusal(await call({ model: "lumen-1" }), 404, /lumen-1.*inactive/);
    },
  ],
  [
    "405, wrong method for the path",
    ENDPOINTS,
    async ({ call, expectRefusal }, { path }) => {
      const right = ENDPOINTS.filter((endpoint) => endpoint.path === path).map(({ name }) => name.split(" ")[0]);
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        if (!right.includes(method)) expectRefusal(await call({ method }), 405);
      }
    },
  ],
  [
    "429, per key",
    ENDPOINTS,
    async ({ call, expectRefusal, sandbox }) => {
      sandbox.configure({ rateLimits: { perKey: 0, perOrganisation: null } });
      const answer = await call();
      expectRefusal(answer, 429);
      expect(errorOf(answer).type).toBe("rate_limit_exceeded");
    },
  ],
  [
    "429, per organization",
    ENDPOINTS,
    async ({ call, expectRefusal, sandbox }) => {
      sandbox.configure({ rateLimits: { perKey: null, perOrganisation: 0 } });
      const answer = await call({ key: "sandbox-key-2" });
      expectRefusal(answer, 429);
      expect(errorOf(answer).type).toBe("rate_limit_exceeded");
    },
  ],
  [
    "502, all endpoints failed",
    WITH_MODEL,
    async ({ call, expectRefusal, sandbox }, { model }) => {
      sandbox.configure({ faults: [{ endpoint: "*", status: 502 }] });
      const answer = await call();
      expectRefusal(answer, 502, new RegExp(`^All endpoints failed for ${model}`));
      expect(errorOf(answer).type).toBe("endpoint_error");
    },
  ],
  [
    "503, authentication temporarily unavailable",
    ENDPOINTS,
    async ({ call, expectRefusal }) => {
      expectRefusal(await call({ key: "auth-down-key" }), 503, /temporarily unavailable/);
    },
  ],
  [
    "503, model routing temporarily unavailable",
    ENDPOINTS,
    async ({ call, expectRefusal, sandbox }) => {
      sandbox.configure({ faults: [{ endpoint: "*", status: 503, times: 1 }] });
      expectRefusal(await call(), 503, /temporarily unavailable/);
      expect((await call()).status).not.toBe(503);
    },
  ],
  [
    "other, a provider's error with its own status and body",
    GENERATING,
    async ({ call, expectRefusal }) => {
      const answer = await call({ prompt: "A fox, error:provider" });
      expectRefusal(answer, 400);
      expect(answer.json.error).toMatchObject({ type: "backend_error", details: expect.stringContaining("malformed") });
    },
  ],
];

// Spec 7.
describe.each(ROWS)("%s", (_, endpoints, prove) => {
  it.each(endpoints)("$name", async (endpoint) => {
    await prove(await caller(endpoint), endpoint);
  });
});

// Spec 4.
describe("the endpoints above", () => {
  it("are all that the sandbox has", () => {
    const withoutNames = (path: string) => path.replace(/:\w+/g, ":");
    const context = createContext({});
    const routes = ENDPOINT_GROUPS.flatMap((make) => make(context).routes)
      .filter(({ family }) => family === "queue" || family === "inference")
      .map(({ method, path }) => `${method} ${withoutNames(path)}`);
    const listed = ENDPOINTS.map(({ name, path }) => `${name.split(" ")[0]} ${withoutNames(path)}`);
    const missing = routes.filter((route) => !listed.includes(route));
    expect(missing, "a route without an entry in ENDPOINTS of this file").toEqual([]);
  });

  it("stand in the tables of the service's document", () => {
    const document = readFileSync("src/api/specification.md", "utf8");
    const missing = ENDPOINTS.filter(({ name }) => !/chat/.test(name) && !document.includes(`| \`${name}\` |`));
    expect(
      missing.map(({ name }) => name),
      "an endpoint without a row in section 4 of src/api/specification.md",
    ).toEqual([]);
  });
});

it("whoever holds the key sends a request to each endpoint, but to the other text dialect", () => {
  const addresses = { queueBaseUrl: `${ORIGIN}/api/v1/queue`, inferenceBaseUrl: ORIGIN };
  const refused = ENDPOINTS.filter(({ name }) => !/chat/.test(name)).filter(({ name, path }) => {
    const url = `${ORIGIN}${path.replace(/:\w+/g, "a-name")}`;
    return !isServiceRequest(addresses, name.split(" ")[0] ?? "", url);
  });
  expect(
    refused.map(({ name }) => name),
    "an endpoint without an entry in REQUESTS of src/lib/service-requests.ts",
  ).toEqual([]);
});

// Spec 7.
describe("storage", () => {
  it("403, a signed upload with another Content-Type, and the file stays unstored", async () => {
    const { queue, raw, sandbox } = openSandbox();
    const { json } = await queue("POST", "/apikey/upload-url", { body: { file_type: "png" } });
    const put = await raw("PUT", String(json.upload_url), { body: "x", headers: { "content-type": "image/jpeg" } });
    expect(put.status).toBe(403);
    expect(sandbox.inspect().uploads).toMatchObject([{ isStored: false }]);
  });
});
