import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { explainError } from "#api/explain-error.ts";
import { streamText } from "#api/text/text-client.ts";
import type { TextEvent } from "#api/text/text-types.ts";
import { withKey } from "../../setup/with-key.ts";
import { serveAnswers, serveJson } from "../answer-server.ts";
import { completionChunk, DONE, event } from "./text-fixtures.ts";

const KEY = "canary-key-9f3c";
const at = (inferenceBaseUrl: string) => withKey({ inferenceBaseUrl, key: KEY });

async function all(events: AsyncIterable<TextEvent>): Promise<TextEvent[]> {
  const seen: TextEvent[] = [];
  for await (const entry of events) seen.push(entry);
  return seen;
}

const hi = event(completionChunk("Hi", "stop")) + DONE;

// Spec 4.2.
describe("a request", () => {
  it("goes to its endpoint with body, stream and bearer key", async () => {
    const { url, seen } = await serveAnswers((_request, response) => response.end(hi));
    await all(streamText("completions", at(url), { model: "m", prompt: "p", max_tokens: 5 }));
    await all(streamText("responses", at(`${url}/`), { model: "m", input: "i" }, { stream: false }));
    await all(streamText("messages", at(url), { model: "m", max_tokens: 5, messages: [] }));
    expect(seen.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
      ["POST", "/v1/completions", { model: "m", prompt: "p", max_tokens: 5, stream: true }],
      ["POST", "/v1/responses", { model: "m", input: "i", stream: false }],
      ["POST", "/v1/messages", { model: "m", max_tokens: 5, messages: [], stream: true }],
    ]);
    for (const { headers } of seen) {
      expect(headers.authorization).toBe(`Bearer ${KEY}`);
      expect(Object.keys(headers).filter((name) => /^(x-|anthropic)/.test(name))).toEqual([]);
    }
  });

  // Spec 5.3.
  it("sends the key as x-api-key only on request and on messages", async () => {
    const { url, seen } = await serveAnswers((_request, response) => response.end(hi));
    const target = { ...at(url), usesApiKeyHeader: true, extraHeaders: { "x-version": "1" } };
    await all(streamText("messages", target, { model: "m" }));
    await all(streamText("completions", target, { model: "m" }));
    expect(seen[0]?.headers).toMatchObject({ "x-api-key": KEY, "x-version": "1" });
    expect(seen[0]?.headers.authorization).toBeUndefined();
    expect(seen[1]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(seen[1]?.headers["x-api-key"]).toBeUndefined();
  });

  it("is reported completely, without the key in any event", async () => {
    const { url } = await serveAnswers((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "r1" });
      response.end(hi);
    });
    const events = await all(streamText("completions", at(url), { model: "m" }));
    expect(events[0]).toMatchObject({
      kind: "request",
      url: `${url}/v1/completions`,
      headers: { Authorization: "Bearer [key]", "Content-Type": "application/json" },
      body: '{"model":"m","stream":true}',
    });
    expect(events[1]).toMatchObject({ kind: "start", status: 200, headers: { "x-request-id": "r1" } });
    expect(JSON.stringify(events)).not.toContain(KEY);
    const times = events.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});

describe("nothing is sent twice that may have been billed", () => {
  it.each([502, 503])("when a gateway answers %i in the service's place", async (status) => {
    const { url, seen } = await serveJson({ error: "Bad Gateway" }, status);
    const events = await all(streamText("completions", at(url), { model: "m" }));
    expect(seen).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ kind: "error", error: { status } });
  });

  it("when the connection breaks before an answer", async () => {
    const { url, seen } = await serveAnswers((_request, response) => response.destroy());
    const events = await all(streamText("completions", at(url), { model: "m" }));
    expect(seen).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ kind: "error", error: { name: "NoAnswerError" } });
  });

  it("when it breaks within one, whose text is kept and marked", async () => {
    const { url, seen } = await serveAnswers((_request, response) => {
      response.write(event(completionChunk("Hal")), () => response.destroy());
    });
    const events = await all(streamText("completions", at(url), { model: "m" }));
    expect(seen).toHaveLength(1);
    expect(events.find(({ kind }) => kind === "text")).toMatchObject({ text: "Hal" });
    expect(events.at(-1)).toMatchObject({ kind: "end", how: "early", error: { name: "NoAnswerError" } });
  });

  it("when an error comes within it", async () => {
    const { url, seen } = await serveAnswers((_request, response) => {
      response.end(event(completionChunk("Hal")) + event({ error: { message: "boom", code: 503 } }));
    });
    const events = await all(streamText("completions", at(url), { model: "m" }));
    expect(seen).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      kind: "error",
      error: { name: "StreamedError", message: "boom", code: "503" },
    });
  });
});

describe("silence", () => {
  // The network is real and may be slow; the wait for it is not.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  /** All events, where nothing comes any more once the first text is there and read. */
  async function allUntilSilent(events: AsyncIterable<TextEvent>): Promise<TextEvent[]> {
    const seen: TextEvent[] = [];
    for await (const entry of events) {
      seen.push(entry);
      // The next read has begun before the next task, and with it the wait.
      if (entry.kind === "text") setImmediate(() => vi.advanceTimersByTime(120_000));
    }
    return seen;
  }

  it("before the headers ends the wait", async () => {
    const { url } = await serveAnswers(() => vi.advanceTimersByTime(120_000));
    const events = await all(streamText("completions", at(url), { model: "m" }));
    expect(events.at(-1)).toMatchObject({ kind: "error", error: { name: "NoAnswerError", timedOut: true } });
  });

  it("within the answer ends it early and keeps the text", async () => {
    const { url } = await serveAnswers((_request, response) => {
      response.write(event(completionChunk("Hal")));
    });
    const events = await allUntilSilent(streamText("completions", at(url), { model: "m" }));
    expect(events.at(-1)).toMatchObject({ kind: "end", how: "early", error: { timedOut: true } });
  });

  it("after the last choice leaves the answer complete", async () => {
    const { url } = await serveAnswers((_request, response) => {
      response.write(event(completionChunk("Hi", "stop")));
    });
    const events = await allUntilSilent(streamText("completions", at(url), { model: "m" }));
    expect(events.at(-1)).toMatchObject({ kind: "end", how: "complete", stopReason: "stop" });
  });
});

describe("stopping", () => {
  it("ends the request and keeps what came", async () => {
    let isClosed = false;
    const { url } = await serveAnswers((_request, response) => {
      response.on("close", () => {
        isClosed = true;
      });
      // The answer never ends by itself, and the client would wait for two minutes.
      response.write(event(completionChunk("Hal")));
    });
    const controller = new AbortController();
    const events: TextEvent[] = [];
    for await (const entry of streamText("completions", at(url), { model: "m" }, { signal: controller.signal })) {
      events.push(entry);
      if (entry.kind === "text") controller.abort();
    }
    expect(events.at(-1)).toMatchObject({ kind: "end", how: "stopped" });
    await expect.poll(() => isClosed).toBe(true);
  });

  it("also while waiting to send again, and before anything was sent", async () => {
    const { url, seen } = await serveJson({ error: "busy" }, 429);
    const controller = new AbortController();
    const events: TextEvent[] = [];
    for await (const entry of streamText("completions", at(url), { model: "m" }, { signal: controller.signal })) {
      events.push(entry);
      if (entry.kind === "retry") controller.abort();
    }
    expect(events.at(-1)).toMatchObject({ kind: "end", how: "stopped" });
    expect(seen).toHaveLength(1);
    const none = await all(streamText("completions", at(url), { model: "m" }, { signal: AbortSignal.abort() }));
    expect(none.at(-1)).toMatchObject({ kind: "end", how: "stopped" });
    expect(seen).toHaveLength(1);
  });

  it("by leaving the loop ends the request too", async () => {
    let isClosed = false;
    const { url } = await serveAnswers((_request, response) => {
      response.on("close", () => {
        isClosed = true;
      });
      response.write(event(completionChunk("Hal")));
    });
    for await (const { kind } of streamText("completions", at(url), { model: "m" })) if (kind === "text") break;
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe("the name of a sending", () => {
  it("that the host knows already is not sent on, and what it cost is not known", async () => {
    const { url, seen } = await serveAnswers((_request, response) => {
      response.writeHead(409, { "X-Safelight-Relay": "outcome_unknown" });
      response.end('{"error":{"message":"Its answer is not known.","type":"relay_outcome_unknown"}}');
    });
    // As the studio's own host answers: a service's own word of that name never arrives.
    const target = { inferenceBaseUrl: url, fetch: globalThis.fetch };
    const events = await all(streamText("completions", target, { model: "m" }));
    expect(seen).toHaveLength(1);
    const last = events.at(-1);
    expect(last).toMatchObject({ kind: "error", error: { status: 409, hostReason: "outcome_unknown" } });
    expect(last?.kind === "error" && explainError(last.error, "text").charged).toBe("unknown");
  });

  it("is another for each, and in no event", async () => {
    let count = 0;
    const { url, seen } = await serveAnswers((_request, response) => {
      count++;
      if (count === 1) response.writeHead(429).end('{"error":{"message":"Rate limit reached."}}');
      else response.end(hi);
    });
    let names = 0;
    const attemptHeaders = () => {
      names++;
      return { "x-attempt": `attempt-${names}` };
    };
    const events = await all(streamText("completions", { ...at(url), attemptHeaders }, { model: "m" }));
    expect(seen.map(({ headers }) => headers["x-attempt"])).toEqual(["attempt-1", "attempt-2"]);
    expect(JSON.stringify(events)).not.toContain("attempt-");
  });
});

describe("a free connection", () => {
  /** A budget in which nothing is free before `give`. */
  function waiting() {
    let give = (_end: () => void) => {};
    let hasEnded = false;
    const openTransfer = ({ signal, onWait }: { signal: AbortSignal; onWait: () => void }) => {
      onWait();
      return new Promise<() => void>((resolve, reject) => {
        give = resolve;
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    };
    const end = () => {
      hasEnded = true;
    };
    return { openTransfer, give: () => give(end), hasEnded: () => hasEnded };
  }

  it("is waited for before anything is sent, and given back at the end", async () => {
    const { url, seen } = await serveAnswers((_request, response) => response.end(hi));
    const { openTransfer, give, hasEnded } = waiting();
    const kinds: string[] = [];
    for await (const { kind } of streamText("completions", { ...at(url), openTransfer }, { model: "m" })) {
      if (kind === "queued") {
        expect(seen).toHaveLength(0);
        give();
      }
      if (kind === "text") expect(hasEnded()).toBe(false);
      kinds.push(kind);
    }
    expect(kinds).toEqual(expect.arrayContaining(["queued", "request", "text", "end"]));
    await expect.poll(hasEnded).toBe(true);
    expect(seen).toHaveLength(1);
  });

  it("is no longer waited for after a stop or by a loop that was left", async () => {
    const { url, seen } = await serveAnswers((_request, response) => response.end(hi));
    const controller = new AbortController();
    const stopped = waiting();
    const target = { ...at(url), openTransfer: stopped.openTransfer };
    const coming = all(streamText("completions", target, { model: "m" }, { signal: controller.signal }));
    controller.abort();
    expect((await coming).at(-1)).toMatchObject({ kind: "end", how: "stopped" });

    const left = waiting();
    for await (const { kind } of streamText("completions", { ...at(url), openTransfer: left.openTransfer }, {})) {
      left.give();
      if (kind === "queued") break;
    }
    await expect.poll(left.hasEnded).toBe(true);
    expect(seen).toHaveLength(0);
  });
});

describe("several completions at once", () => {
  it("are separate, and the answer is complete when each of them is", async () => {
    const choice = (index: number, text: string, finish_reason: string | null = null) =>
      event({ choices: [{ index, text, finish_reason }] });
    const { url } = await serveAnswers((_request, response) => {
      response.end(choice(0, "A") + choice(1, "B") + choice(0, "a", "stop"));
    });
    const events = await all(streamText("completions", at(url), { model: "m", n: 2 }));
    const of = (index: number) =>
      events.flatMap((entry) => (entry.kind === "text" && entry.choice === index ? entry.text : [])).join("");
    expect([of(0), of(1)]).toEqual(["Aa", "B"]);
    expect(events.at(-1)).toMatchObject({ kind: "end", how: "early" });
  });
});
