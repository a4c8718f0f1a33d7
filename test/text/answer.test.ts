import { describe, expect, test } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import type { TextEvent } from "#api/text/text-types.ts";
import { joinFacts, type ResponsePatch, runResponse, tokensPerSecond } from "#text/answer.ts";

const text = (atMs: number, added: string): TextEvent => ({ kind: "text", atMs, text: added, choice: 0 });
const end = (atMs: number, how: "complete" | "early" = "complete"): TextEvent => ({
  kind: "end",
  atMs,
  how,
  stopReason: "stop",
});

async function* send(events: readonly TextEvent[]): AsyncGenerator<TextEvent> {
  for (const event of events) {
    await Promise.resolve();
    yield event;
  }
}

async function run(events: readonly TextEvent[], options: { startText?: string } = {}) {
  const patches: ResponsePatch[] = [];
  const response = runResponse({ open: () => send(events), commit: (patch) => patches.push(patch), ...options });
  await response.done;
  return { response, patches, last: patches.at(-1) };
}

describe("an answer under way", () => {
  test("ends as one commit with text, reasoning and measurements", async () => {
    const usage: TextEvent = { kind: "usage", atMs: 900, usage: { inputTokens: 7, outputTokens: 41, raw: {} } };
    const { last, patches } = await run([
      { kind: "delivery", atMs: 90, isStream: true },
      { kind: "reasoning", atMs: 100, text: "Hm." },
      text(500, "One"),
      text(900, " two"),
      usage,
      end(1100),
    ]);
    expect(patches).toHaveLength(1);
    expect(last).toMatchObject({ text: "One two", reasoning: "Hm.", outcome: { how: "complete" } });
    expect(last?.facts).toMatchObject({ firstTokenMs: 100, totalMs: 1100, inputTokens: 7, outputTokens: 41 });
    expect(last && tokensPerSecond(last.facts)).toBeCloseTo(40);
  });

  test("stopped while it waits for a connection was not sent and cost nothing", async () => {
    const patches: ResponsePatch[] = [];
    const open = async function* (signal: AbortSignal): AsyncGenerator<TextEvent> {
      yield { kind: "queued", atMs: 0 };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    };
    const response = runResponse({ open, commit: (patch) => patches.push(patch) });
    await new Promise<void>((resolve) => response.live.subscribe(() => resolve()));
    expect(response.live.getState().phase).toBe("queued");
    response.stop();
    await response.done;
    expect(patches.at(-1)?.outcome).toMatchObject({
      how: "stopped",
      error: { chargedText: "Not charged: the message was never sent." },
    });
  });

  test("has the summed counts of its continuation, or none where one is missing", () => {
    const first = {
      pieces: 3,
      firstTokenMs: 200,
      totalMs: 900,
      inputTokens: 10,
      cachedTokens: 4,
      stopReason: "length",
    };
    const second = { pieces: 2, firstTokenMs: 300, totalMs: 500, inputTokens: 15, outputTokens: 2, stopReason: "stop" };
    expect(joinFacts(first, second)).toEqual({
      pieces: 5,
      firstTokenMs: 200,
      totalMs: 1400,
      inputTokens: 25,
      cachedTokens: 4,
      // What the last request came to: the sums would count its prompt twice.
      contextTokens: 17,
      stopReason: "stop",
    });
  });

  test("a stream without an end event is stored and marked as ended early", async () => {
    expect((await run([text(1, "Half"), end(2, "early")])).last).toMatchObject({
      text: "Half",
      outcome: { how: "early" },
    });
    expect((await run([text(1, "Half")])).last).toMatchObject({ text: "Half", outcome: { how: "early" } });
  });

  test("stop aborts the request at once, keeps the text and ignores more events", async () => {
    const patches: ResponsePatch[] = [];
    let signal: AbortSignal | undefined;
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const response = runResponse({
      open: async function* (given) {
        signal = given;
        yield text(1, "Kept");
        await gate;
        yield text(2, " and lost");
      },
      commit: (patch) => patches.push(patch),
    });
    await new Promise<void>((resolve) => {
      response.text.subscribe(() => resolve());
    });
    // Nothing is awaited here: the request is aborted and the text committed within the call.
    response.stop();
    expect(signal?.aborted).toBe(true);
    expect(patches.at(-1)).toMatchObject({ text: "Kept", outcome: { how: "stopped" } });
    goOn();
    await response.done;
    expect(response.text.text()).toBe("Kept");
    expect(patches).toHaveLength(1);
  });

  test("an error is explained once, and a model of the other catalogue is recognised", async () => {
    const error = new RefusedError({ status: 404, message: "no endpoint for model lumen-2" });
    const { last } = await run([{ kind: "error", atMs: 5, error }]);
    expect(last?.outcome).toMatchObject({
      how: "failed",
      error: { title: "Wrong place for this model", place: "create" },
    });
  });

  test("an interrupted answer has no count of output tokens, and so no price", async () => {
    const early: TextEvent = { kind: "usage", atMs: 1, usage: { inputTokens: 7, outputTokens: 1, raw: {} } };
    const { last } = await run([early, text(2, "Half of"), end(3, "early")]);
    expect(last?.facts).toMatchObject({ inputTokens: 7, totalMs: 3 });
    expect(last?.facts.outputTokens).toBeUndefined();
  });

  test("holds the calls and refusals that come beside its text, and commits them", async () => {
    const { last, response } = await run([
      { kind: "part", atMs: 1, key: "a", part: { kind: "tool-call", name: "weather", input: "" } },
      { kind: "part-text", atMs: 2, key: "a", text: '{"city":' },
      { kind: "part-text", atMs: 3, key: "refusal", text: "No." },
      { kind: "part-text", atMs: 4, key: "a", text: '"Oslo"}' },
      end(5),
    ]);
    const parts = [
      { kind: "tool-call", name: "weather", input: '{"city":"Oslo"}' },
      { kind: "refusal", text: "No." },
    ];
    expect(last).toMatchObject({ text: "", parts, facts: { firstTokenMs: 1 } });
    expect(response.live.getState().parts).toEqual(parts);
  });

  test("a continued answer begins with the earlier text", async () => {
    expect((await run([text(1, " two"), end(2)], { startText: "One" })).last?.text).toBe("One two");
  });
});
