import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NoAnswerError, RefusedError, UnreadableAnswerError, UnusableIdError } from "#api/api-error.ts";
import { readJson } from "#api/read-body.ts";
import { retryDelayMs, retryRead } from "#api/retry-policy.ts";
import { createTransport } from "#api/transport.ts";
import { serveAnswers, serveJson } from "./answer-server.ts";

const get = { method: "GET", path: "/x", timeoutMs: 5000 } as const;

describe("the transport", () => {
  it("rejects when the exchange takes too long, also within a body", async () => {
    const { url } = await serveAnswers((_request, response) => {
      response.writeHead(200);
      response.write("{");
    });
    const send = createTransport({ baseUrl: url, key: "k", fetch });
    const error = await send({ ...get, timeoutMs: 50 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ timedOut: true });
  });

  it("rejects in time although the body ignores the abort", async () => {
    const body = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) });
    for (const status of [200, 400]) {
      const send = createTransport({
        baseUrl: "https://a.test",
        key: "k",
        fetch: async () => new Response(body(), { status }),
      });
      await expect(send({ ...get, timeoutMs: 50 })).rejects.toMatchObject({ timedOut: true });
    }
  });

  it("joins the base and the path with one slash", async () => {
    const { url, seen } = await serveJson({});
    await createTransport({ baseUrl: `${url}/base//`, key: "k", fetch })(get);
    expect(seen[0]?.url).toBe("/base/x");
  });

  it("drops __proto__ keys from any answer", async () => {
    const { url } = await serveAnswers((_request, response) => response.end('{"a":{"__proto__":{"polluted":1}}}'));
    const answer = await createTransport({ baseUrl: url, key: "k", fetch })(get);
    expect(JSON.stringify(answer)).toBe('{"a":{}}');
  });
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

  it("keeps a parameter that is called constructor", () => {
    expect(readJson('{"constructor":1}', 200)).toEqual({ constructor: 1 });
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
  it.each([429, 502, 503])("are tried again after a %i, three times at most", (status) => {
    expect([0, 1, 2, 3].map((failures) => retryRead(failures, refused(status)))).toEqual([true, true, true, false]);
  });

  it("are tried again when no answer came", () => {
    expect(retryRead(0, new NoAnswerError())).toBe(true);
  });

  it.each([400, 401, 402, 403, 404, 405, 422, 500, 504])("are not tried again after a %i", (status) => {
    expect(retryRead(0, refused(status))).toBe(false);
  });

  it("are not tried again after an abort, an unreadable answer or an unusable id", () => {
    const unreadable = new UnreadableAnswerError({ status: 200, excerpt: "", reason: "x" });
    for (const error of [new DOMException("", "AbortError"), unreadable, new UnusableIdError(), new Error("bug")]) {
      expect(retryRead(0, error)).toBe(false);
    }
  });

  it("wait at least 250 ms and at most a second that doubles", () => {
    for (let failures = 0; failures < 3; failures++) {
      for (let sample = 0; sample < 200; sample++) {
        const wait = retryDelayMs(failures);
        expect(wait).toBeGreaterThanOrEqual(250);
        expect(wait).toBeLessThanOrEqual(1000 * 2 ** failures);
      }
    }
  });
});
