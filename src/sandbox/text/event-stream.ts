/** One server-sent event. `data` is sent as JSON, a text as it is (`[DONE]`). */
export interface Frame {
  event?: string;
  data: object | string;
  /** Output tokens that this event brings: they take time and are charged once sent. */
  tokens?: number;
}

/** Breaks the connection in mid-stream: thrown by a source of frames. */
export class StreamBreak extends Error {}

export interface Pace {
  tokensPerSecond: number;
  firstTokenMs: number;
  /** Waits real milliseconds. */
  wait(ms: number): Promise<void>;
  /** Real milliseconds, to make up for waits that took longer than asked. */
  realNow(): number;
}

/** Events leave in bundles of about this many milliseconds, so that 2,000 tokens a second need no 2,000 timers. */
const BUNDLE_MS = 16;

/**
 * A streamed answer. Nothing is written, and no timer runs, until the reader asks for more; when it cancels, or `signal`
 * fires, the work stops. `onEnd` is called once with the number of output tokens that really left.
 */
export function eventStream(
  frames: Iterable<Frame>,
  pace: Pace,
  signal: AbortSignal,
  onEnd: (tokensSent: number) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const bundles = bundle(frames, Math.max(1, Math.round((pace.tokensPerSecond * BUNDLE_MS) / 1000)));
  const pause = createPause(pace);
  let sent = 0;
  let isOver = false;
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    bundles.return(undefined);
    onEnd(sent);
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = bundles.next();
        if (done === true) {
          finish();
          controller.close();
          return;
        }
        if (value.tokens > 0) await pause(value.tokens);
        if (isOver) return;
        if (signal.aborted) throw new StreamBreak("The reader has gone.");
        sent += value.tokens;
        controller.enqueue(encoder.encode(value.text));
      } catch (error) {
        finish();
        controller.error(error);
      }
    },
    cancel: finish,
  });
}

/** The texts of events that leave together: those before the first token at once, then `size` tokens at a time. */
function* bundle(frames: Iterable<Frame>, size: number): Generator<{ text: string; tokens: number }, undefined> {
  let text = "";
  let tokens = 0;
  let hasBegun = false;
  try {
    for (const frame of frames) {
      const frameTokens = frame.tokens ?? 0;
      if (frameTokens > 0 && !hasBegun) {
        hasBegun = true;
        if (text !== "") yield { text, tokens };
        text = "";
      }
      text += writeFrame(frame);
      tokens += frameTokens;
      if (tokens < size) continue;
      yield { text, tokens };
      text = "";
      tokens = 0;
    }
  } catch (error) {
    // What came before the break is still sent.
    if (text !== "") yield { text, tokens };
    throw error;
  }
  if (text !== "") yield { text, tokens };
  return undefined;
}

/** Waits for the first token, then for each bundle, and catches up where a wait took too long. */
function createPause({ tokensPerSecond, firstTokenMs, wait, realNow }: Pace): (tokens: number) => Promise<void> {
  let startedAt: number | undefined;
  let dueMs = 0;
  return async (tokens) => {
    const step = startedAt === undefined ? firstTokenMs : (tokens * 1000) / tokensPerSecond;
    startedAt ??= realNow();
    dueMs += step;
    const early = dueMs - (realNow() - startedAt);
    if (early > 0) await wait(Math.min(step, early));
  };
}

/** The event on the wire, ended by its blank line. */
function writeFrame({ event, data }: Frame): string {
  const body = typeof data === "string" ? data : JSON.stringify(data);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${body}\n\n`;
}
