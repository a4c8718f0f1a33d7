import { streamText, type TextOptions } from "#api/text-client.ts";
import type { TextEndpoint, TextEvent } from "#api/text-types.ts";
import type { TextOutcome } from "./text-fixtures.ts";

/** A `fetch` that answers 200 with the given pieces, one chunk each. */
export function answering(pieces: Uint8Array[], contentType = "text/event-stream"): typeof fetch {
  return () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": contentType } }));
  };
}

export async function collect(endpoint: TextEndpoint, fetch: typeof globalThis.fetch, options: TextOptions = {}) {
  const target = { inferenceBaseUrl: "http://inference.example", key: "canary-key-9f3c", fetch };
  const events: TextEvent[] = [];
  for await (const event of streamText(endpoint, target, { model: "m" }, options)) events.push(event);
  return events;
}

/** What the events come to. */
export function outcomeOf(events: TextEvent[]): TextOutcome {
  const outcome: TextOutcome = { text: "", how: "early" };
  for (const event of events) {
    if (event.kind === "text") outcome.text += event.text;
    else if (event.kind === "reasoning") outcome.reasoning = (outcome.reasoning ?? "") + event.text;
    else if (event.kind === "usage") {
      const { raw: _, ...counts } = event.usage;
      outcome.usage = counts as Record<string, number>;
    } else if (event.kind === "error") {
      outcome.how = "error";
      outcome.message = event.error.message;
    } else if (event.kind === "end" && event.how !== "stopped") {
      outcome.how = event.how;
      if (event.stopReason !== undefined) outcome.stopReason = event.stopReason;
    }
  }
  return outcome;
}
