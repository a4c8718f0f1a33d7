import { createParser } from "eventsource-parser";
import { afterSilence } from "#lib/delay.ts";
import { NoAnswerError, UnreadableAnswerError } from "../api-error.ts";
import { readChunk } from "../read-body.ts";

/** One server-sent event, or the complete body of an answer that is no stream. */
export type ServerEvent =
  | { kind: "event"; name: string | undefined; data: string }
  | { kind: "document"; text: string };

const MAX_PENDING = 8 * 1024 * 1024;
const MAX_DOCUMENT = 32 * 1024 * 1024;

/**
 * Reads a body as server-sent events by the standard, or, when it starts like JSON or a page, as one document: servers
 * answer in one piece where a stream was asked, whatever their Content-Type says. An event at the very end counts also
 * without its blank line. `idleMs` is asked before each read. Throws `NoAnswerError` when the connection breaks or nothing
 * comes in time, `UnreadableAnswerError` when it is too large or neither form, and the signal's reason on an abort. Leaving
 * the loop ends the request.
 */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  { signal, idleMs }: { signal: AbortSignal; idleMs: () => number },
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const ready: ServerEvent[] = [];
  let tooLarge = false;
  const parser = createParser({
    onEvent: ({ event, data }) => ready.push({ kind: "event", name: event, data }),
    onError: ({ type }) => {
      tooLarge ||= type === "max-buffer-size-exceeded";
    },
    maxBufferSize: MAX_PENDING,
  });
  let head = "";
  let form: "stream" | "document" | undefined;
  let hasEvents = false;

  const take = (text: string) => {
    if (form === "stream") parser.feed(text);
    else {
      head += text;
      form ??= formOf(head);
      if (form === "stream") parser.feed(head);
    }
    if (tooLarge || (form !== "stream" && head.length > MAX_DOCUMENT))
      throw unreadable(head, "The response is too large.");
  };

  try {
    for (;;) {
      const { done, value } = await readWithin(reader, { signal, ms: idleMs() });
      take(done ? decoder.decode() : decoder.decode(value, { stream: true }));
      // Two line ends dispatch what is pending: the last event may be the one that says how it ended.
      if (done && form === "stream" && !tooLarge) parser.feed("\n\n");
      hasEvents ||= ready.length > 0;
      yield* ready.splice(0);
      if (done) break;
    }
    if (form === "document") yield { kind: "document", text: head };
    else if (!hasEvents && head.trim() !== "" && !/^(data|event|id|retry)?:/m.test(head)) {
      throw unreadable(head, "The response is neither a stream nor JSON.");
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A stream starts with a field's name or a colon; JSON and pages start with a sign of their own. */
function formOf(head: string): "stream" | "document" | undefined {
  const first = /[^\s\ufeff]/.exec(head)?.[0];
  if (first === undefined) return undefined;
  return "{[<".includes(first) ? "document" : "stream";
}

function unreadable(head: string, reason: string): UnreadableAnswerError {
  return new UnreadableAnswerError({ status: 200, excerpt: head, reason });
}

/** One read, ended at once by an abort and by too long a silence. */
function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { signal, ms }: { signal: AbortSignal; ms: number },
): Promise<ReadableStreamReadResult<Uint8Array>> {
  return new Promise((resolve, reject) => {
    const stopTimer = afterSilence(ms, () => reject(new NoAnswerError({ timedOut: true })));
    readChunk(reader, signal).finally(stopTimer).then(resolve, reject);
  });
}
