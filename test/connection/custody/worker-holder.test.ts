import "../../setup/page-stand-in.ts";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import { createApi } from "#api/create-api.ts";
import { type KeyOrder, onKeyLost } from "#connection/custody/key-holder.ts";
import { createWorkerHolder } from "#connection/custody/worker-holder.ts";
import type { PageMessage } from "#connection/custody/worker-messages.ts";
import fc from "../../setup/fc.ts";
import { until } from "../../setup/until.ts";
import { type InProcessWorker, inProcessWorker } from "./in-process-worker.ts";

const KEY = "sk-canary-0123456789abcdef";
const ORDER: KeyOrder = {
  key: KEY,
  salt: "salt",
  queueBaseUrl: "https://api.example.com/api/v1/queue",
  inferenceBaseUrl: "https://api.example.com",
};
const MODELS = `${ORDER.queueBaseUrl}/apikey/models`;
const SUBMIT = `${ORDER.queueBaseUrl}/apikey/requests`;
const AUTHORIZED = { headers: { Authorization: "Bearer [key]" } };

afterEach(() => void vi.unstubAllEnvs());

/** A holder whose Worker answers with `service`, and a key in it. */
async function holdKey(service: typeof fetch = async () => new Response("{}")) {
  const sent = vi.fn(service);
  const workers: InProcessWorker[] = [];
  const holder = createWorkerHolder(() => {
    const worker = inProcessWorker(sent);
    workers.push(worker);
    return worker;
  });
  const held = await holder.hold(ORDER);
  const [worker] = workers as [InProcessWorker];
  return { holder, held, worker, workers, sent, fetch: holder.fetchFor(held.ticket) };
}

/** Answers never. */
const silent: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));

describe("the Worker that holds keys", () => {
  it("sends a request with the key, and the page gets the answer without it", async () => {
    const { fetch, sent, worker, held } = await holdKey(
      async () => new Response(`{"echo":"${KEY}"}`, { status: 201, headers: { "x-echo": KEY, "x-other": "1" } }),
    );
    const answer = await fetch(MODELS, AUTHORIZED);
    expect([answer.status, answer.headers.get("x-other"), answer.headers.get("x-echo")]).toEqual([201, "1", "[key]"]);
    expect(await answer.text()).toBe('{"echo":"[key]"}');
    const [url, init] = sent.mock.calls[0] ?? [];
    expect([url, new Headers(init?.headers).get("authorization")]).toEqual([MODELS, `Bearer ${KEY}`]);
    expect(init).toMatchObject({ redirect: "error", credentials: "omit" });
    expect(held).toMatchObject({ keyHint: "cdef", accountId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(worker.heard.join()).not.toContain(KEY);
  });

  // K7.
  it.each([
    ["GET", "https://evil.example/apikey/models"],
    ["GET", "https://api.example.com.evil.example/api/v1/queue/apikey/models"],
    ["GET", `${ORDER.queueBaseUrl}/../../../account`],
    ["GET", `${ORDER.queueBaseUrl}/apikey/account`],
    ["PUT", MODELS],
  ])("refuses %s %s, and sends nothing", async (method, url) => {
    const { fetch, sent } = await holdKey();
    await expect(fetch(url, { ...AUTHORIZED, method })).rejects.toBeInstanceOf(NoAnswerError);
    expect(sent).not.toHaveBeenCalled();
  });

  it("brings the key out for no message, whatever it asks", async () => {
    const { worker, held, sent } = await holdKey();
    const text = fc.oneof(fc.string(), fc.constantFrom(KEY.slice(0, 9), MODELS, "https://evil.example", "[key]"));
    const message = fc.record({
      id: fc.nat(50),
      kind: fc.constantFrom("unlock", "fetch", "pull", "stop", "forgot", "seal", "read", "__proto__"),
      ticket: fc.constantFrom(held.ticket, "", "__proto__"),
      method: fc.constantFrom("GET", "POST", "TRACE", "CONNECT"),
      url: text,
      headers: fc.array(fc.tuple(text, text), { maxLength: 3 }),
      body: fc.option(text, { nil: undefined }),
      isStreamed: fc.boolean(),
      sealed: text,
      passphrase: text,
      salt: text,
      order: fc.constant(undefined),
    });
    for (const sample of fc.sample(message, 300)) worker.postMessage(sample as unknown as PageMessage, []);
    await until(() => expect(worker.heard.length).toBeGreaterThan(100));
    expect(worker.heard.join()).not.toContain(KEY);
    for (const [url] of sent.mock.calls) expect(String(url)).toMatch(/^https:\/\/api\.example\.com\//);
  });

  it("reads a body only as fast as the page does, and gives every byte in order", async () => {
    const bytes = Uint8Array.from({ length: 400_000 }, (_, at) => at % 251);
    let pulled = 0;
    const body = () =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const piece = bytes.slice(pulled, pulled + 10_000);
            pulled += piece.length;
            if (piece.length > 0) controller.enqueue(piece);
            else controller.close();
          },
        },
        { highWaterMark: 0 },
      );
    const { fetch } = await holdKey(async () => new Response(body()));
    const answer = await fetch(MODELS, AUTHORIZED);
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBeGreaterThan(0);
    // What stands between source and reader holds a few pieces, and never the rest.
    expect(pulled).toBeLessThan(100_000);
    const pieces = [first?.value as Uint8Array];
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) pieces.push(piece.value);
    expect(Buffer.concat(pieces).equals(Buffer.from(bytes))).toBe(true);
  });

  it("sends a streamed body as a stream of the same bytes", async () => {
    const { fetch, sent } = await holdKey(async (_input, init) => {
      expect(init?.body).toBeInstanceOf(ReadableStream);
      expect(init).toMatchObject({ method: "POST", duplex: "half" });
      return new Response(await new Response(init?.body).text());
    });
    const body = new Response('{"prompt":"ä"}').body as ReadableStream;
    const init: RequestInit & { duplex: "half" } = { ...AUTHORIZED, method: "POST", body, duplex: "half" };
    expect(await (await fetch(SUBMIT, init)).text()).toBe('{"prompt":"ä"}');
    expect(sent).toHaveBeenCalledTimes(1);
  });

  it("ends a request in the Worker when the page aborts, with the page's own reason", async () => {
    const { fetch, sent } = await holdKey(silent);
    const abort = new AbortController();
    const answer = fetch(MODELS, { ...AUTHORIZED, signal: abort.signal });
    await until(() => expect(sent).toHaveBeenCalled());
    abort.abort(new DOMException("The person left.", "AbortError"));
    await expect(answer).rejects.toMatchObject({ name: "AbortError", message: "The person left." });
    await until(() => expect(sent.mock.calls[0]?.[1]?.signal?.aborted).toBe(true));
  });

  it.each(["abort", "cancel"])("ends a body on %s, in the Worker too", async (way) => {
    const { fetch, sent } = await holdKey(async (_input, init) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode("first"));
          init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
        },
      });
      return new Response(body);
    });
    const abort = new AbortController();
    const answer = await fetch(MODELS, { ...AUTHORIZED, signal: abort.signal });
    const reader = answer.body?.getReader();
    await reader?.read();
    if (way === "abort") {
      const rest = reader?.read();
      abort.abort();
      await expect(rest).rejects.toMatchObject({ name: "AbortError" });
    } else await reader?.cancel();
    await until(() => expect(sent.mock.calls[0]?.[1]?.signal?.aborted).toBe(true));
  });

  it("rejects with a network error as fetch does, without the browser's own words", async () => {
    const { fetch, worker } = await holdKey(() => Promise.reject(new TypeError(`bad header ${KEY}`)));
    await expect(fetch(MODELS, AUTHORIZED)).rejects.toBeInstanceOf(TypeError);
    expect(worker.heard.join()).not.toContain(KEY);
  });

  // M25.
  it("ends a submit as unconfirmed when the Worker dies, and says that the key is gone", async () => {
    const { held, fetch, worker, sent } = await holdKey(silent);
    const lost = vi.fn();
    onTestFinished(onKeyLost(lost));
    const api = createApi({ ...ORDER, fetch });
    const submit = api.submit({ model: "m", payload: {} });
    await until(() => expect(sent).toHaveBeenCalledTimes(1));
    worker.die();
    await expect(submit).rejects.toBeInstanceOf(NoAnswerError);
    expect(lost).toHaveBeenCalledExactlyOnceWith(
      held.ticket,
      expect.stringMatching(/no longer in memory\. Enter it again\.$/),
    );
    await expect(fetch(MODELS, AUTHORIZED)).rejects.toBeInstanceOf(RefusedError);
    expect(sent).toHaveBeenCalledTimes(1);
  });

  // K12.
  it("forgets a key at once, also for what is under way, and ends with the last one", async () => {
    const { holder, held, fetch, worker, sent } = await holdKey(silent);
    const other = await holder.hold({ ...ORDER, key: "sk-another-0123456789" });
    const underWay = fetch(MODELS, AUTHORIZED);
    await until(() => expect(sent).toHaveBeenCalledTimes(1));
    const failed = expect(underWay).rejects.toBeInstanceOf(TypeError);
    await holder.forget(held.ticket);
    await failed;
    await expect(fetch(MODELS, AUTHORIZED)).rejects.toBeInstanceOf(RefusedError);
    expect(worker.isTerminated).toBe(false);
    await holder.forget(other.ticket);
    expect(worker.isTerminated).toBe(true);
  });

  it("takes no key for another service than the one that the build names", async () => {
    vi.stubEnv("SAFELIGHT_SERVICE", "https://api.example.com");
    const holder = createWorkerHolder(() => inProcessWorker(silent));
    await expect(holder.hold(ORDER)).resolves.toMatchObject({ keyHint: "cdef" });
    const elsewhere = { ...ORDER, inferenceBaseUrl: "https://evil.example" };
    await expect(holder.hold(elsewhere)).rejects.toMatchObject({ status: 403 });
  });
});
