import { isRecord, type JsonRecord } from "#lib/read.ts";
import { type Quirk, withBody } from "./quirk.ts";

type ChangeResponse = NonNullable<Quirk["response"]>;

/** Whether an answer is one of the sandbox's event streams. */
export function isStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/**
 * Changes a streamed answer event by event. `change` gets each event's text with its blank line, its position and whether
 * it is the last, and gives what is sent in its place; nothing more is sent once it gives `undefined`.
 */
export function changeEvents(
  change: (event: string, position: number, isLast: boolean) => string | undefined,
): ChangeResponse {
  return (response) => {
    if (!isStream(response) || response.body === null) return response;
    return withBody(response, response.body.pipeThrough(eventTransform(change)));
  };
}

function eventTransform(
  change: (event: string, position: number, isLast: boolean) => string | undefined,
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  // The latest event waits, because only the end of the stream shows which was the last.
  let waiting: string | undefined;
  let incomplete = "";
  let position = 0;
  let isOver = false;
  const send = (controller: TransformStreamDefaultController<Uint8Array>, isLast: boolean): void => {
    if (waiting === undefined || isOver) return;
    const changed = change(waiting, position++, isLast);
    if (changed === undefined) {
      isOver = true;
      controller.terminate();
    } else if (changed !== "") {
      controller.enqueue(encoder.encode(changed));
    }
  };
  return new TransformStream({
    transform(chunk, controller) {
      const parts = (incomplete + decoder.decode(chunk, { stream: true })).split("\n\n");
      incomplete = parts.pop() ?? "";
      for (const part of parts) {
        send(controller, false);
        waiting = `${part}\n\n`;
      }
    },
    flush: (controller) => send(controller, true),
  });
}

/** Sends the same bytes in pieces of `size`, so that pieces end within characters and between CR and LF. */
export function cutInPieces(size: number): ChangeResponse {
  return (response) => {
    if (!isStream(response) || response.body === null) return response;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        for (let at = 0; at < chunk.length; at += size) controller.enqueue(chunk.slice(at, at + size));
      },
    });
    return withBody(response, response.body.pipeThrough(cut));
  };
}

/** Breaks the connection after `count` events. */
export function breakAfter(count: number): ChangeResponse {
  return (response) => {
    if (!isStream(response) || response.body === null) return response;
    const reader = response.body.getReader();
    let seen = 0;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) return controller.close();
        if (seen >= count) {
          await reader.cancel();
          return controller.error(new Error("The connection broke."));
        }
        seen += new TextDecoder().decode(value).split("\n\n").length - 1;
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    };
    // Nothing is read ahead: an error throws away what a stream still holds, and those events did go out.
    const body = new ReadableStream(source, { highWaterMark: 0 });
    return withBody(response, body);
  };
}

/** Makes the whole answer out of the text of a finished stream, in any of the three formats. */
export function assembleStream(text: string): unknown {
  const data = text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [readObject(line.slice(6))] : []));
  const response = data.findLast((event) => isRecord(event.response))?.response;
  if (response !== undefined) return response;
  const failed = data.find((event) => event.error !== undefined);
  if (failed !== undefined) return { error: failed.error };
  const message = data.find((event) => event.type === "message_start")?.message;
  return isRecord(message) ? assembleMessage(message, data) : assembleCompletion(data);
}

function readObject(text: string): JsonRecord {
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? value : {};
}

function assembleMessage(message: JsonRecord, events: readonly JsonRecord[]): JsonRecord {
  const content: JsonRecord[] = [];
  let ending: JsonRecord = {};
  for (const { type, content_block, delta, usage } of events) {
    if (type === "content_block_start" && isRecord(content_block)) content.push({ ...content_block });
    if (type === "content_block_delta" && isRecord(delta)) {
      const block = content.at(-1) ?? {};
      if (typeof delta.partial_json === "string") block.input = joinJson(block, delta.partial_json);
      if (isRecord(delta.citation)) block.citations = [...(block.citations as JsonRecord[]), delta.citation];
      for (const name of ["text", "thinking", "signature"]) {
        if (typeof delta[name] === "string") block[name] = String(block[name] ?? "") + delta[name];
      }
    }
    if (type === "message_delta" && isRecord(delta)) {
      ending = {
        ...delta,
        usage: { ...(isRecord(message.usage) ? message.usage : {}), ...(isRecord(usage) ? usage : {}) },
      };
    }
  }
  return { ...message, content, ...ending };
}

/** The pieces of a call's input so far, as its value once they are all there. */
function joinJson(block: JsonRecord, piece: string): unknown {
  const text = (typeof block.input === "string" ? block.input : "") + piece;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function assembleCompletion(chunks: readonly JsonRecord[]): JsonRecord {
  const choices = new Map<unknown, JsonRecord>();
  for (const chunk of chunks) {
    for (const choice of Array.isArray(chunk.choices) ? chunk.choices.filter(isRecord) : []) {
      const known = choices.get(choice.index);
      const { delta, ...rest } = choice;
      const text = String(known?.text ?? "") + String(choice.text);
      const message = isRecord(delta) ? joinDelta(known?.message, delta) : known?.message;
      choices.set(choice.index, { ...rest, text, ...(message === undefined ? {} : { message }) });
    }
  }
  return { ...chunks[0], ...chunks.at(-1), choices: [...choices.values()] };
}

/** A message in the chat format with one more piece of it: texts grow, calls grow by their index. */
function joinDelta(before: unknown, delta: JsonRecord): JsonRecord {
  const message: JsonRecord = isRecord(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(delta)) {
    const known = message[name];
    if (typeof value === "string" && typeof known === "string") message[name] = known + value;
    else if (name === "tool_calls" && Array.isArray(value) && Array.isArray(known)) {
      message[name] = known.map((call: JsonRecord, at) => joinCall(call, value[at]));
    } else message[name] = value;
  }
  return message;
}

function joinCall(call: JsonRecord, more: unknown): JsonRecord {
  if (!isRecord(more) || !isRecord(more.function) || !isRecord(call.function)) return call;
  const text = String(call.function.arguments ?? "") + String(more.function.arguments ?? "");
  return { ...call, function: { ...call.function, arguments: text } };
}
