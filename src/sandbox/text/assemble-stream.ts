import { isRecord, type JsonRecord } from "#lib/json.ts";

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
  let end: JsonRecord = {};
  for (const { type, content_block, delta, usage } of events) {
    if (type === "content_block_start" && isRecord(content_block)) content.push({ ...content_block });
    if (type === "content_block_delta" && isRecord(delta)) {
      const block = content.at(-1) ?? {};
      for (const name of ["text", "thinking", "signature"]) {
        if (typeof delta[name] === "string") block[name] = String(block[name] ?? "") + delta[name];
      }
    }
    if (type === "message_delta" && isRecord(delta)) {
      end = {
        ...delta,
        usage: { ...(isRecord(message.usage) ? message.usage : {}), ...(isRecord(usage) ? usage : {}) },
      };
    }
  }
  return { ...message, content, ...end };
}

function assembleCompletion(chunks: readonly JsonRecord[]): JsonRecord {
  const choices = new Map<unknown, JsonRecord>();
  for (const chunk of chunks) {
    for (const choice of Array.isArray(chunk.choices) ? chunk.choices.filter(isRecord) : []) {
      const text = String(choices.get(choice.index)?.text ?? "") + String(choice.text);
      choices.set(choice.index, { ...choice, text });
    }
  }
  return { ...chunks[0], ...chunks.at(-1), choices: [...choices.values()] };
}
