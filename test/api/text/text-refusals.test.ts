import { afterEach, describe, expect, it, vi } from "vitest";
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

// Spec 7.
describe("a refusal before the first byte", () => {
  afterEach(() => vi.useRealTimers());

  const OWN_WORDS = {
    429: "Rate limit reached.",
    502: "All endpoints failed for m.",
    503: "Model routing is temporarily unavailable.",
  };
  const refusals = (status: keyof typeof OWN_WORDS, headers: Record<string, string> = {}) => {
    vi.useFakeTimers();
    const body = JSON.stringify({ error: { message: OWN_WORDS[status] } });
    const fetch = vi.fn(async () => new Response(body, { status, headers }));
    return { fetch, events: all(streamText("messages", { ...at("https://a.test"), fetch }, { model: "m" })) };
  };

  it.each([429, 502, 503] as const)("with %i is sent again as reads are, five times in all", async (status) => {
    const { fetch, events: coming } = refusals(status);
    await vi.advanceTimersByTimeAsync(60_000);
    const events = await coming;
    expect(fetch).toHaveBeenCalledTimes(5);
    const waits = events.flatMap((entry) => (entry.kind === "retry" ? [entry.waitMs] : []));
    expect(waits).toHaveLength(4);
    waits.forEach((ms, place) => {
      expect(ms).toBeGreaterThanOrEqual(750 * 2 ** place);
      expect(ms).toBeLessThanOrEqual(1250 * 2 ** place);
    });
    expect(events.at(-1)).toMatchObject({ error: { name: "RefusedError", status, message: OWN_WORDS[status] } });
  });

  it("waits as long as the answer asks", async () => {
    const { fetch, events } = refusals(429, { "Retry-After": "40" });
    await vi.advanceTimersByTimeAsync(39_000);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fetch).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(200_000);
    await events;
  });

  it.each([400, 401, 402, 403, 404, 405, 422, 500, 504, 529])("with %i is sent once", async (status) => {
    const { url, seen } = await serveJson({ error: "no" }, status);
    const events = await all(streamText("completions", at(url), { model: "m" }));
    expect(seen).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ kind: "error", error: { status, message: "no" } });
  });

  it("is sent again until the service answers", async () => {
    let count = 0;
    const { url } = await serveAnswers((_request, response) => {
      count++;
      if (count === 1)
        response.writeHead(503).end('{"error":{"message":"Authentication is temporarily unavailable."}}');
      else response.end(hi);
    });
    const events = await all(streamText("completions", at(url), { model: "m" }));
    expect(events.find(({ kind }) => kind === "text")).toMatchObject({ text: "Hi" });
    expect(events.at(-1)).toMatchObject({ kind: "end", how: "complete" });
  });
});
