import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { errorOf, ORIGIN } from "../sandbox-client.ts";
import { objects, openText, type TextClient } from "./text-client.ts";

const BODIES: Record<string, JsonRecord> = {
  "/v1/completions": { prompt: "Hello" },
  "/v1/responses": { input: "Hello" },
  "/v1/messages": { max_tokens: 500, messages: [{ role: "user", content: "Hello" }] },
};
const PATHS = Object.keys(BODIES);
const body = (path: string, prompt = "Hello", model = "quill-2") =>
  JSON.parse(JSON.stringify({ model, ...BODIES[path] }).replace("Hello", prompt)) as JsonRecord;

// Spec 4.2.
describe("GET /v1/models", () => {
  // Spec 1.
  it("lists the text models with prices, none of them a generation model", async () => {
    const { raw, queue } = openText();
    const { json } = await raw("GET", `${ORIGIN}/sandbox/v1/models`, { key: "sandbox-key" });
    const models = json.data as { id: string; object: string; pricing: { prompt: string; completion: string }[] }[];
    expect(json.object).toBe("list");
    expect(models.length).toBeGreaterThanOrEqual(4);
    const generation = (await queue("GET", "/apikey/models")).json.model_ids;
    for (const { id, object, pricing } of models) {
      expect(object).toBe("model");
      expect(generation).not.toContain(id);
      expect(pricing[0]?.prompt).toMatch(/^0\.0000\d*[1-9]$/);
      expect(Number(pricing[0]?.completion)).toBeGreaterThan(Number(pricing[0]?.prompt));
    }
  });
});

describe.each(PATHS)("%s", (path) => {
  // Spec 7.
  it("answers 400 for malformed JSON and for a missing model", async () => {
    const client = openText();
    expect((await client.post(path, "{")).status).toBe(400);
    const { status, json } = await client.post(path, { ...body(path), model: undefined });
    expect([status, (json.error as JsonRecord).message]).toEqual([400, "model: Field required"]);
  });

  // Spec 5.5.
  it("answers 401 without a valid key, and 503 while authentication is down", async () => {
    const client = openText();
    const statuses = [undefined, "nobody", "revoked-key", "auth-down-key"].map(
      async (key) => (await client.post(path, body(path), { key })).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 401, 401, 503]);
  });

  // Spec 5.6.
  it("answers 403 for a pool that needs VIP access", async () => {
    const answer = await openText().post(path, body(path, "Hello", "quill-2@vip"));
    expect([answer.status, errorOf(answer).message]).toEqual([403, expect.stringContaining("VIP access")]);
  });

  // Spec 7.
  it("answers 404 for an unknown model and for one of the queue", async () => {
    const client = openText();
    const unknown = await client.post(path, body(path, "Hello", "quill-9"));
    expect([unknown.status, errorOf(unknown).message]).toEqual([404, "No endpoints for model quill-9"]);
    const other = await client.post(path, body(path, "Hello", "lumen-2"));
    expect([other.status, errorOf(other).message]).toEqual([404, expect.stringContaining("no endpoint for model")]);
    const back = await client.estimate("quill-2", {});
    expect([back.status, errorOf(back).message]).toEqual([404, expect.stringContaining("no endpoint for model")]);
  });

  // Spec 7.
  it("answers 405 for another method", async () => {
    const client = openText();
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await client.raw(method, `${ORIGIN}/sandbox${path}`, { key: "sandbox-key" })).status).toBe(405);
    }
    expect((await client.post("/v1/models", {})).status).toBe(405);
  });

  // Spec 7.
  it.each([
    [429, "", "rate_limit_exceeded"],
    [502, "All endpoints failed for quill-2", "endpoint_error"],
    [503, "", undefined],
  ])("answers %i when the prompt asks for it, without Retry-After", async (status, message, type) => {
    const answer = await openText().post(path, body(path, `Hello error:${status}`));
    expect(answer.status).toBe(status);
    expect(errorOf(answer).message.startsWith(message)).toBe(true);
    expect(errorOf(answer).type).toBe(type);
    expect(answer.headers.has("retry-after")).toBe(false);
  });

  // Spec 5.4.
  it("counts toward the key's rate limit", async () => {
    const client = openText({ rateLimits: { perKey: 1 } });
    expect((await client.post(path, body(path))).status).toBe(200);
    expect((await client.post(path, body(path))).status).toBe(429);
  });

  // Spec 5.4.
  it("bills the organisation once per answer, streamed or not", async () => {
    const charges = async (stream: boolean) => {
      const client = openText();
      await client.post(path, { ...body(path, "How do lighthouses work"), seed: 4, stream });
      return client.sandbox.inspect().ledger.map(({ organisation, amountMicroUsd }) => [organisation, amountMicroUsd]);
    };
    const whole = await charges(false);
    expect(whole).toEqual([["org-safelight", expect.any(Number)]]);
    expect(await charges(true)).toEqual(whole);
  });

  it("answers 402 without a charge when the balance cannot pay the prompt", async () => {
    const client = openText({ openingBalanceMicroUsd: 1 });
    expect((await client.post(path, body(path, "Hello there, how are you"))).status).toBe(402);
    expect(client.sandbox.inspect().ledger).toEqual([]);
  });

  it("refuses a prompt that is longer than the model's context with 400", async () => {
    const answer = await openText().post(path, body(path, "many words ".repeat(20_000), "thicket-base"));
    expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringContaining("maximum context length")]);
  });

  it("ends a stream in the middle with the format's own error", async () => {
    const data = objects(await openText().stream(path, body(path, "stream-error Hello")));
    const last = data.at(-1) ?? {};
    const error = (last.error ?? (last.response as JsonRecord | undefined)?.error) as JsonRecord;
    expect(error.message).toBe("All endpoints failed for quill-2");
    expect(data.length).toBeGreaterThan(5);
    expect((await openText().post(path, body(path, "stream-error"))).status).toBe(502);
  });

  it("breaks the connection in mid-answer when the prompt asks for it", async () => {
    const response = await openStream(openText(), path, "stream-break Hello");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const read = async () => {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) text += part.value;
    };
    await expect(read()).rejects.toThrow("broke");
    expect(text).toContain("data: {");
  });
});

it.each([
  ["/v1/messages", "messages"],
  ["/v1/responses", "input"],
])("%s ignores an error that an older message asked for", async (path, field) => {
  const turns = ["error:502", "Hello"].map((content) => ({ role: "user", content }));
  const ask = { ...body(path), [field]: turns };
  expect((await openText().post(path, ask)).status).toBe(200);
  expect((await openText().post(path, { ...ask, [field]: turns.toReversed() })).status).toBe(502);
});

function openStream(client: TextClient, path: string, prompt: string, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: "Bearer sandbox-key" };
  const sent = JSON.stringify({ ...body(path, prompt), stream: true });
  const init = { method: "POST", headers, body: sent, ...(signal === undefined ? {} : { signal }) };
  return client.sandbox.fetch(new Request(`${ORIGIN}/sandbox${path}`, init));
}

/** Nothing here waits for a timer or for I/O: all that is under way ends before the next task. */
const idle = () => new Promise((resolve) => setImmediate(resolve));

describe("the pace of a stream", () => {
  /** A clock that only waits move, and the waits it saw. */
  function openPaced(tokensPerSecond?: number) {
    let nowMs = Date.UTC(2026, 4, 1);
    const waits: number[] = [];
    const wait = async (ms: number) => {
      waits.push(ms);
      nowMs += ms;
    };
    const pace = tokensPerSecond === undefined ? {} : { tokensPerSecond };
    return { client: openText({ now: () => nowMs, wait, ...pace }), waits };
  }

  it.each([1, 60, 500, 2000])("sends %i tokens a second by the injected clock", async (tokensPerSecond) => {
    const { client, waits } = openPaced(tokensPerSecond);
    await client.stream("/v1/responses", { ...body("/v1/responses", "long:1000 lamps"), max_output_tokens: 400 });
    const [first, ...rest] = waits;
    expect(first).toBe(350);
    const bundled = Math.max(1, Math.round(tokensPerSecond * 0.016));
    const seconds = rest.reduce((sum, ms) => sum + ms, 0) / 1000;
    expect(seconds).toBeGreaterThan((400 - 2 * bundled) / tokensPerSecond);
    expect(seconds).toBeLessThanOrEqual(400 / tokensPerSecond + 1e-6);
  });

  it("follows the prompt's tps: word, and PUT /sandbox/settings", async () => {
    const spent = async (prompt: string, setting?: number) => {
      const { client, waits } = openPaced();
      if (setting !== undefined) {
        const put = { body: { tokensPerSecond: setting } };
        expect((await client.raw("PUT", `${ORIGIN}/sandbox/settings`, put)).status).toBe(200);
      }
      await client.stream("/v1/responses", { ...body("/v1/responses", prompt), max_output_tokens: 300 });
      return waits.reduce((sum, ms) => sum + ms, 0);
    };
    const own = await spent("long:600");
    expect(await spent("long:600 tps:2000")).toBeLessThan(own / 4);
    expect(await spent("long:600", 2000)).toBeLessThan(own / 4);
  });

  it.each([0, 2001, "fast"])("refuses a pace of %j", async (tokensPerSecond) => {
    const { raw } = openText();
    expect((await raw("PUT", `${ORIGIN}/sandbox/settings`, { body: { tokensPerSecond } })).status).toBe(400);
  });

  it.each(PATHS)("%s stops when the reader cancels, and bills what was sent", async (path) => {
    const { client, waits } = openPaced(100);
    const response = await openStream(client, path, "long:20000");
    const reader = response.body?.getReader();
    for (let part = 0; part < 8; part += 1) await reader?.read();
    await reader?.cancel();
    const seen = waits.length;
    await idle();
    expect(waits.length).toBe(seen);
    const { ledger } = client.sandbox.inspect();
    expect(ledger).toHaveLength(1);
    expect(ledger[0]?.amountMicroUsd).toBeLessThan(1000);
  });

  it("stops when the request is aborted", async () => {
    const { client, waits } = openPaced(100);
    const abort = new AbortController();
    const response = await openStream(client, "/v1/messages", "Tell me about lamps", abort.signal);
    const reader = response.body?.getReader();
    await reader?.read();
    abort.abort();
    const rest = async () => {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read());
    };
    await expect(rest()).rejects.toThrow();
    expect(waits.length).toBeLessThan(6);
    expect(client.sandbox.inspect().ledger).toHaveLength(1);
  });

  it("runs no timer while nothing is read", async () => {
    const { client, waits } = openPaced(100);
    await openStream(client, "/v1/responses", "long:20000");
    await idle();
    expect(waits.length).toBeLessThanOrEqual(2);
  });
});
