import { describe, expect, it } from "vitest";
import { NoAnswerError, RefusedError, UnreadableAnswerError, UnusableIdError } from "#api/api-error.ts";
import { readJson } from "#api/read-body.ts";
import { mayRetryRead, retryDelayMs } from "#api/retry-policy.ts";
import { createTransport } from "#api/transport.ts";
import fc from "../setup/fc.ts";
import { serveAnswers, serveJson } from "./answer-server.ts";

const get = { method: "GET", path: "/x", timeoutMs: 5000 } as const;

describe("the transport", () => {
  it("rejects when the exchange takes too long, also within a body", async () => {
    const { url } = await serveAnswers((_request, response) => {
      response.writeHead(200);
      response.write("{");
    });
    const send = createTransport({ baseUrl: url, fetch });
    const error = await send({ ...get, timeoutMs: 50 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ timedOut: true });
  });

  it("rejects in time although the body ignores the abort", async () => {
    const body = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) });
    for (const status of [200, 400]) {
      const send = createTransport({
        baseUrl: "https://a.test",
        fetch: async () => new Response(body(), { status }),
      });
      await expect(send({ ...get, timeoutMs: 50 })).rejects.toMatchObject({ timedOut: true });
    }
  });

  it("joins the base and the path with one slash", async () => {
    const { url, seen } = await serveJson({});
    await createTransport({ baseUrl: `${url}/base//`, fetch })(get);
    expect(seen[0]?.url).toBe("/base/x");
  });

  it("drops __proto__ keys from any answer", async () => {
    const { url } = await serveAnswers((_request, response) => response.end('{"a":{"__proto__":{"polluted":1}}}'));
    const answer = await createTransport({ baseUrl: url, fetch })(get);
    expect(JSON.stringify(answer)).toBe('{"a":{}}');
  });
});

it("gives the answer, and the refusal, also where the log of requests breaks", async () => {
  const answers = [Response.json({ request_id: "job-1" }), Response.json({ error: "No" }, { status: 400 })];
  let calls = 0;
  const send = createTransport({
    baseUrl: "https://a.test",
    fetch: async () => answers.shift() as Response,
    onCall() {
      calls += 1;
      throw new Error("The log is broken");
    },
  });
  const submit = { ...get, method: "POST", body: {} } as const;
  expect(await send(submit)).toEqual({ request_id: "job-1" });
  await expect(send(submit)).rejects.toBeInstanceOf(RefusedError);
  expect(calls).toBe(2);
});

describe("JSON of an answer", () => {
  it("returns the parsed value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        if (!text.includes("__proto__")) expect(JSON.stringify(readJson(text, 200))).toBe(text);
      }),
    );
  });

  it.each(['{"__proto__":{"x":1}}', '{"\\u005f_proto__":{"x":1}}', '[{"a":[{"__proto__":null}]}]'])(
    "drops __proto__ from %s",
    (text) => {
      expect(JSON.stringify(readJson(text, 200))).not.toContain("__proto__");
      expect(Object.getPrototypeOf({})).toBe(Object.prototype);
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    },
  );

  it("drops keys by which a copy reaches a prototype, at any depth", () => {
    expect(readJson('{"constructor":{"prototype":{"x":1}},"a":[{"prototype":1,"b":2}]}', 200)).toEqual({
      a: [{ b: 2 }],
    });
  });

  it.each(["", "<html>", "{", "{'a':1}", "undefined", "\0"])("rejects %j as unreadable", (text) => {
    expect(() => readJson(text, 200)).toThrow(UnreadableAnswerError);
  });

  it("refuses very deep JSON without a stack overflow", () => {
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    expect(() => readJson(deep, 200)).toThrow(UnreadableAnswerError);
  });

  it("refuses a million values", () => {
    expect(() => readJson(`[${"{},".repeat(1_000_000)}{}]`, 200)).toThrow(UnreadableAnswerError);
  });
});

const refused = (status: number) => new RefusedError({ status, message: "x" });

// Spec 7 rules 1 and 2.
describe("reads", () => {
  it.each([429, 502, 503])("are tried five times in all after a %i", (status) => {
    expect([0, 1, 2, 3, 4, 5].map((failures) => mayRetryRead(failures, refused(status)))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("are tried five times in all when no answer came", () => {
    expect([0, 3, 4].map((failures) => mayRetryRead(failures, new NoAnswerError()))).toEqual([true, true, false]);
  });

  it.each([400, 401, 402, 403, 404, 405, 422, 500, 504])("are not tried again after a %i", (status) => {
    expect(mayRetryRead(0, refused(status))).toBe(false);
  });

  it("are not tried again after an abort, an unreadable answer or an unusable id", () => {
    const unreadable = new UnreadableAnswerError({ status: 200, excerpt: "", reason: "x" });
    for (const error of [new DOMException("", "AbortError"), unreadable, new UnusableIdError(), new Error("bug")]) {
      expect(mayRetryRead(0, error)).toBe(false);
    }
  });

  it("wait a second that doubles, ±25 %, and as long as they are asked to", () => {
    const of = fc.record({
      failures: fc.nat(4),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
      retryAfterMs: fc.option(fc.nat(600_000), { nil: undefined }),
    });
    fc.assert(
      fc.property(of, ({ failures, random, retryAfterMs }) => {
        const error = new RefusedError({ status: 429, message: "x", retryAfterMs });
        const wait = retryDelayMs(failures, error, () => random);
        const asked = Math.min(120_000, retryAfterMs ?? 0);
        expect(wait).toBeGreaterThanOrEqual(Math.max(asked, 750 * 2 ** failures));
        expect(wait).toBeLessThanOrEqual(Math.max(asked, 1250 * 2 ** failures));
      }),
    );
  });

  it.each([
    [{ "Retry-After": "7" }, 7_000],
    [{ "Retry-After": "Sat, 21 Nov 2026 12:00:40 GMT", Date: "Sat, 21 Nov 2026 12:00:10 GMT" }, 30_000],
    [{ "Retry-After": "Sat, 21 Nov 2026 12:00:40 GMT", Date: "Sat, 21 Nov 2026 12:01:10 GMT" }, 0],
    [{ "Retry-After": "soon" }, undefined],
    [{ "Retry-After": "-5" }, undefined],
    [{}, undefined],
  ])("read %j", async (headers, retryAfterMs) => {
    const { url } = await serveAnswers((_request, response) => {
      if (!("Date" in headers)) response.sendDate = false;
      response.writeHead(429, headers);
      response.end("{}");
    });
    await expect(createTransport({ baseUrl: url, fetch })(get)).rejects.toMatchObject({
      status: 429,
      retryAfterMs,
    });
  });
});
