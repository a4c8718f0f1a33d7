import { describe, expect, test } from "vitest";
import { NoAnswerError, RefusedError, StreamedError, UnreadableAnswerError } from "#api/api-error.ts";
import { createApi } from "#api/create-api.ts";
import type { LoggedRequest } from "#api/transport.ts";
import { type RequestFacts, readFacts, redactRequest } from "#connection/request-facts.ts";
import type { RelayRefusal } from "#host/relay/relay-refusal.ts";
import { openMemorySandbox } from "../api/memory-sandbox.ts";
import fc from "../setup/fc.ts";

const KEY = "sk-canary-7Qx2Vd9LrT4bN8wZ";
const PROMPT = "canaryprompt, a lighthouse at dusk";

/** Either canary, with something around it. */
const canary = fc
  .tuple(fc.string({ maxLength: 6 }), fc.constantFrom(KEY, PROMPT, encodeURIComponent(PROMPT)), fc.string())
  .map((parts) => parts.join(""));
const words = fc.oneof(canary, fc.string(), fc.constantFrom("GET", "POST", "RefusedError", "not_allowed", "queued"));
const paths = fc.constantFrom("/apikey/requests", "/apikey/models/", "/apikey/requests/", "/v1/messages", "/");
const address = fc
  .tuple(words, paths, words, words)
  .map(([before, path, after, query]) => `https://${before}/api${path}${after}?${query}#${query}`);
const errors = fc.oneof(
  fc
    .record({ status: fc.integer(), message: words, type: words, body: fc.jsonValue(), hostReason: words })
    .map((refusal) => new RefusedError(refusal)),
  words.map((cause) => new NoAnswerError({ cause: new TypeError(cause) })),
  words.map((excerpt) => new UnreadableAnswerError({ status: 200, excerpt, reason: excerpt })),
  words.map((message) => new StreamedError({ message, type: message, code: message })),
  words.map((name) => Object.assign(new Error(name), { name })),
  fc.object({ values: [words] }),
);
const logged: fc.Arbitrary<LoggedRequest> = fc.record({
  method: words,
  url: address,
  headers: fc.dictionary(words, words),
  body: fc.option(words, { nil: undefined }),
  sentAtMs: fc.double(),
  tookMs: fc.double(),
  response: fc.option(
    fc.integer({ min: 200, max: 599 }).map((status) => new Response(null, { status })),
    { nil: undefined },
  ),
  answer: fc.oneof(words, errors, fc.constant(undefined)),
});

const leaks = (value: unknown) => /sk-canary|canaryprompt|lighthouse/.test(JSON.stringify(value));

/** Every reason of the host: the compiler names a new one that is missing here. */
const REASONS: Record<RelayRefusal["kind"], true> = {
  not_a_target: true,
  wrong_method: true,
  not_same_origin: true,
  not_allowed: true,
  private_address: true,
  redirect: true,
  unreachable: true,
  intent_reused: true,
  other_memory: true,
  outcome_unknown: true,
  never_sent: true,
  store_unavailable: true,
  no_session: true,
  too_many_sessions: true,
  not_a_service_request: true,
  access_required: true,
  too_slow: true,
  malformed: true,
  too_large: true,
};

describe("the facts of a request", () => {
  test("hold neither key nor prompt, wherever the request has them", () => {
    fc.assert(fc.property(logged, (request) => !leaks(redactRequest(request))));
  });

  test("are read back from storage as they were, and nothing else is", () => {
    fc.assert(
      fc.property(logged, (request) => {
        const facts = redactRequest(request);
        expect(readFacts(JSON.parse(JSON.stringify(facts)))).toEqual(facts);
      }),
    );
    const forged = fc.dictionary(fc.constantFrom("method", "path", "status", "error", "hostReason", "jobId"), words);
    fc.assert(fc.property(forged, (raw) => !leaks(readFacts({ ...raw, atMs: 1 }))));
    expect(readFacts("text")).toBeUndefined();
    expect(readFacts({})).toBeUndefined();
  });

  test("name the endpoint, the status and the sizes", async () => {
    const calls: RequestFacts[] = [];
    const { target } = openMemorySandbox({ key: "sandbox-key" });
    const api = createApi({ ...target, onCall: (call) => calls.push(redactRequest(call)) });
    const job = await api.submit({ model: "lumen-2", payload: { prompt: PROMPT } });
    await api.getJob(job.requestId);
    await api.getModel("lumen-2");
    await api.listJobs({ limit: 5 });
    await api.getModel("no-such").catch(() => {});
    expect(calls.map(({ method, path, status, error }) => [method, path, status, error])).toEqual([
      ["POST", "/apikey/requests", 200, undefined],
      ["GET", "/apikey/requests/{id}", 200, undefined],
      ["GET", "/apikey/models/{model}", 200, undefined],
      ["GET", "/apikey/requests", 200, undefined],
      ["GET", "/apikey/models/{model}", 404, "RefusedError"],
    ]);
    expect(calls[0]?.sent).toBe(JSON.stringify({ model: "lumen-2", payload: { prompt: PROMPT } }).length);
    expect(calls[0]?.received).toBeGreaterThan(10);
  });

  test("name why the host refused, and no word that a stranger invents", () => {
    const because = (hostReason: string) => new RefusedError({ status: 403, message: "", hostReason });
    const request = { method: "GET", url: "/", body: undefined, sentAtMs: 1, tookMs: 1, response: undefined };
    for (const reason of Object.keys(REASONS)) {
      expect(redactRequest({ ...request, answer: because(reason) }).hostReason).toBe(reason);
    }
    expect(redactRequest({ ...request, answer: because(KEY) }).hostReason).toBe("other");
    expect(redactRequest({ ...request, answer: new NoAnswerError({ timedOut: true }) }).error).toBe("TimeoutError");
  });
});
