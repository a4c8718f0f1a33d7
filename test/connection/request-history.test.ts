import "../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NoAnswerError, RefusedError, StreamedError, UnreadableAnswerError } from "#api/api-error.ts";
import { createApi } from "#api/create-api.ts";
import type { TextEvent } from "#api/text/text-types.ts";
import type { LoggedRequest } from "#api/transport.ts";
import {
  getRequestJobId,
  keepRequests,
  MAX_REQUESTS,
  noteRequest,
  noteStream,
  type RequestFacts,
  readFacts,
  recentRequests,
  redactRequest,
  writeRequests,
} from "#connection/request-history.ts";
import type { RelayRefusal } from "#host/relay/relay-refusal.ts";
import { openRows, reopenRows } from "#storage/database.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { wipe } from "#storage/wipe.ts";
import { openMemorySandbox } from "../api/memory-sandbox.ts";
import fc from "../setup/fc.ts";
import { until } from "../setup/until.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

const ACCOUNT = "0123456789abcdef0123456789abcdef";
const PROMPT = "a lighthouse at dusk";

const request = (sentAtMs: number, url = "https://q.example/api/apikey/requests") => ({
  method: "POST",
  url,
  body: JSON.stringify({ payload: { prompt: PROMPT } }),
  sentAtMs,
  tookMs: 12,
  response: { status: 200 },
  answer: "{}",
});

/** As a page that was loaded again: only what is on the disk is known. */
async function stored() {
  reopenRows();
  const row = await (await openRows()).get("requests", ACCOUNT);
  return (row?.body ?? []) as { atMs: number }[];
}

let stop = () => {};
beforeEach(async () => {
  stop = keepRequests();
  await wipe(ACCOUNT);
  await writeRequests();
  freshDatabase();
});
afterEach(() => stop());

describe("the list of requests", () => {
  test("is there after a reload, without prompt or address", async () => {
    noteRequest(ACCOUNT, request(5), "job-1");
    await writeRequests();
    const kept = await stored();
    expect(kept).toEqual([
      {
        atMs: 5,
        method: "POST",
        path: "/apikey/requests",
        status: 200,
        tookMs: 12,
        sent: 45,
        received: 2,
        jobId: "job-1",
      },
    ]);
    expect(JSON.stringify(kept)).not.toMatch(/lighthouse|example/);
    expect(await recentRequests(ACCOUNT)).toEqual(kept);
  });

  test("holds the last 200, in order, also those of other tabs", async () => {
    for (let at = 0; at < MAX_REQUESTS; at += 1) noteRequest(ACCOUNT, request(2 * at));
    await writeRequests();
    for (let at = 0; at < 50; at += 1) noteRequest(ACCOUNT, request(2 * at + 301));
    await writeRequests();
    const times = (await stored()).map(({ atMs }) => atMs);
    expect(times).toHaveLength(MAX_REQUESTS);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBe(399);
    expect(times[0]).toBe(100);
  });

  test("is written by itself, soon after", async () => {
    noteRequest(ACCOUNT, request(3));
    await until(async () => expect(await stored()).toHaveLength(1));
  });

  test("writes many requests at once", async () => {
    const put = vi.spyOn(IDBObjectStore.prototype, "put");
    await openRows();
    put.mockClear();
    for (let at = 0; at < 30; at += 1) noteRequest(ACCOUNT, request(at));
    await writeRequests();
    const written = put.mock.calls.filter(([row]) => row.key === ACCOUNT);
    expect(written).toHaveLength(1);
    put.mockRestore();
  });

  // P15
  test("on a full disk stays in memory, and pushes nothing out", async () => {
    const rows = await openRows();
    const draft = { key: "d", scope: ACCOUNT, v: 1, body: 1 };
    await rows.edit({ store: "drafts", key: "d" }, () => ({
      changes: [{ kind: "put", store: "drafts", row: draft }],
      result: undefined,
    }));
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    noteRequest(ACCOUNT, request(7));
    await writeRequests();
    full.mockRestore();
    expect(await rows.get("drafts", "d")).toEqual(draft);
    expect(useStorageState.getState().kind).toBe("durable");
    expect(await recentRequests(ACCOUNT)).toHaveLength(1);
    await writeRequests();
    expect(await stored()).toHaveLength(1);
  });

  // P18
  test("of a newer version stays as it is", async () => {
    const row = { key: ACCOUNT, scope: ACCOUNT, v: 9, body: "newer" };
    await (await openRows()).edit({ store: "requests", key: ACCOUNT }, () => ({
      changes: [{ kind: "put", store: "requests", row }],
      result: undefined,
    }));
    noteRequest(ACCOUNT, request(1));
    await writeRequests();
    expect(await stored()).toBe("newer");
    expect(await recentRequests(ACCOUNT)).toHaveLength(1);
  });

  // H23
  test("that was tampered with gives only what a list may hold", async () => {
    const body = [{ atMs: 1, path: PROMPT, method: PROMPT, error: PROMPT, hostReason: PROMPT, jobId: PROMPT }, PROMPT];
    await (await openRows()).edit({ store: "requests", key: ACCOUNT }, () => ({
      changes: [{ kind: "put", store: "requests", row: { key: ACCOUNT, scope: ACCOUNT, v: 1, body } }],
      result: undefined,
    }));
    expect(JSON.stringify(await recentRequests(ACCOUNT))).not.toContain(PROMPT);
  });

  test("that is deleted while it is written leaves nothing", async () => {
    noteRequest(ACCOUNT, request(1));
    const written = writeRequests();
    await wipe(ACCOUNT);
    await written;
    await writeRequests();
    expect(await stored()).toEqual([]);
    expect(await recentRequests(ACCOUNT)).toEqual([]);
  });
});

describe("an answer that streams", () => {
  const sent: TextEvent = { kind: "request", atMs: 0, method: "POST", url: "/v1/messages", headers: {}, body: PROMPT };
  async function* of(events: TextEvent[]): AsyncGenerator<TextEvent> {
    yield* events;
  }
  async function passed(events: TextEvent[]) {
    const seen: TextEvent[] = [];
    for await (const event of noteStream(ACCOUNT, of(events))) seen.push(event);
    expect(seen).toEqual(events);
    return recentRequests(ACCOUNT);
  }

  test("is noted once it is over, with what came", async () => {
    const [noted] = await passed([
      sent,
      { kind: "start", atMs: 1, status: 200, headers: {} },
      { kind: "raw", atMs: 2, name: undefined, data: PROMPT },
      { kind: "end", atMs: 3, how: "complete", stopReason: undefined },
    ]);
    expect(noted).toMatchObject({ path: "/v1/messages", status: 200, sent: PROMPT.length, received: PROMPT.length });
    expect(noted?.error).toBeUndefined();
  });

  test("that fails is noted with the kind of error", async () => {
    const [noted] = await passed([sent, { kind: "error", atMs: 1, error: new NoAnswerError() }]);
    expect(noted).toMatchObject({ error: "NoAnswerError" });
  });

  test("that is left is noted as ended by the person", async () => {
    for await (const event of noteStream(ACCOUNT, of([sent, sent]))) if (event.kind === "request") break;
    expect(await recentRequests(ACCOUNT)).toMatchObject([{ error: "AbortError" }]);
  });
});

test.each([
  ["GET", "https://q.example/apikey/requests/a%3Ab?x=1", "", "a:b"],
  ["DELETE", "https://q.example/apikey/requests/a/media", "", "a"],
  ["POST", "https://q.example/apikey/requests/estimate", "", undefined],
  ["POST", "https://q.example/apikey/requests", '{"request_id": "made"}', "made"],
  ["GET", "https://q.example/apikey/requests", '{"request_id": "made"}', undefined],
  ["GET", "https://q.example/apikey/requests/%", "", undefined],
])("the job of %s %s is known by its address or answer", (method, url, answer, jobId) => {
  expect(getRequestJobId({ method, url, answer })).toBe(jobId);
});

const KEY = "sk-canary-7Qx2Vd9LrT4bN8wZ";
const CANARY_PROMPT = "canaryprompt, a lighthouse at dusk";

/** Either canary, with something around it. */
const canary = fc
  .tuple(
    fc.string({ maxLength: 6 }),
    fc.constantFrom(KEY, CANARY_PROMPT, encodeURIComponent(CANARY_PROMPT)),
    fc.string(),
  )
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
  test("name each path of the service's document, but that of the other text dialect", () => {
    const rows = readFileSync("src/api/specification.md", "utf8").matchAll(/^\| `(GET|POST|DELETE) (\/\S+)` \|/gm);
    const paths = [...rows].map(([, , path = ""]) => path).filter((path) => !path.includes("chat"));
    expect(paths.length).toBeGreaterThan(10);
    const unnamed = paths.filter((path) => {
      const url = `https://service.test/api/v1/queue${path.replace(/\{\w+\}/g, "a-name")}`;
      const facts = { method: "GET", url, body: undefined, sentAtMs: 0, tookMs: 0, answer: "", response: undefined };
      return redactRequest(facts).path === "/…";
    });
    expect(unnamed, "an endpoint without an entry in PATHS of src/connection/request-history.ts").toEqual([]);
  });

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
    const job = await api.submit({ model: "lumen-2", payload: { prompt: CANARY_PROMPT } });
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
    expect(calls[0]?.sent).toBe(JSON.stringify({ model: "lumen-2", payload: { prompt: CANARY_PROMPT } }).length);
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
