import { asFilledText, asRecords, isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { aboutOf, failure, failureOf, type TextFinding, type TextReader, usageOf } from "./text-findings.ts";
import { blockParts, choiceParts, citationFrom, otherPart, partAt, partText } from "./text-parts.ts";

/**
 * Reads answers of POST /v1/completions (spec 4.2). A chunk and a complete body have the same shape. Usage may follow
 * the last choice in a chunk of its own, so an answer is complete with every choice's finish_reason and over with its
 * stream.
 */
export function createCompletionReader(): TextReader {
  const open = new Set<number>();
  const finished = new Set<number>();
  const begunCalls = new Set<string>();
  let isAbout = false;

  const takeChoice = (choice: JsonRecord): TextFinding[] => {
    const index = typeof choice.index === "number" ? choice.index : 0;
    const text = asFilledText(choice.text) ?? chatText(choice, "content");
    const reasoning = chatText(choice, "reasoning_content") ?? chatText(choice, "reasoning");
    const reason = asFilledText(choice.finish_reason);
    open.add(index);
    if (reason !== undefined) finished.add(index);
    return [
      ...(reasoning === undefined ? [] : [{ kind: "reasoning" as const, text: reasoning }]),
      ...(text === undefined ? [] : [{ kind: "text" as const, text, choice: index }]),
      // As with the text, one completion is shown.
      ...(index === 0 ? choiceParts(choice, begunCalls) : []),
      ...(reason === undefined
        ? []
        : [reason === "error" ? failure(undefined, {}) : { kind: "stop" as const, reason }]),
    ];
  };

  return {
    take(record, name) {
      const failed = failureOf(record, name);
      const about = isAbout ? [] : aboutOf(record);
      isAbout ||= about.length > 0;
      const sources = Array.isArray(record.citations) ? record.citations.flatMap(citationFrom) : [];
      const choices = asRecords(record.choices).flatMap(takeChoice);
      const findings = [...about, ...usageOf(record.usage), ...choices, ...sources];
      if (failed === undefined) return findings;
      return [...findings.filter(({ kind }) => kind !== "failure"), failed];
    },
    isComplete: () => finished.size > 0 && [...open].every((index) => finished.has(index)),
    isOver: () => false,
  };
}

/** Some servers answer in the chat format here too. */
function chatText(choice: JsonRecord, field: string): string | undefined {
  for (const part of [choice.delta, choice.message]) {
    const value = isRecord(part) ? part[field] : undefined;
    const text = Array.isArray(value) ? asRecords(value).map(textOf).join("") : value;
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

const textOf = ({ text }: JsonRecord) => asFilledText(text) ?? "";

/**
 * Reads answers of POST /v1/messages (spec 4.2): typed events, or a complete message object. Blocks need not be closed,
 * or opened, in order; unknown events and deltas are ignored.
 */
export function createMessageReader(): TextReader {
  let isTerminal = false;
  const calls = createServiceCalls();
  /** Without an index, the block that began last. */
  let begun = 0;

  const takeMessage = (message: JsonRecord): TextFinding[] => [
    ...aboutOf(message),
    ...asRecords(message.content).flatMap((block, place) => [
      ...takeBlock(block),
      ...blockParts(block, `block ${place}`),
    ]),
    ...usageOf(message.usage),
    ...stopOf(message),
  ];
  const keyOf = ({ index }: JsonRecord) => `block ${typeof index === "number" ? index : `#${begun}`}`;
  const takeDelta = (delta: JsonRecord, key: string): TextFinding[] => {
    if (delta.type === "citations_delta") return citationFrom(delta.citation);
    if (typeof delta.partial_json !== "string") return takeBlock(delta);
    return calls.take(key, delta.partial_json) ? [] : partText(key, delta.partial_json);
  };

  return {
    take(record, name) {
      const failed = failureOf(record, name);
      if (failed !== undefined) return [failed];
      const type = asFilledText(record.type) ?? name;
      if (type === "message") {
        isTerminal = true;
        return takeMessage(record);
      }
      if (type === "message_start") return isRecord(record.message) ? takeMessage(withoutOutput(record.message)) : [];
      if (type === "content_block_start") {
        const block = record.content_block;
        if (!isRecord(block)) return [];
        begun += 1;
        const key = keyOf(record);
        calls.begin(key, block);
        return [...takeBlock(block), ...blockParts(block, key)];
      }
      if (type === "content_block_delta") return isRecord(record.delta) ? takeDelta(record.delta, keyOf(record)) : [];
      if (type === "message_delta") {
        return [...calls.end(), ...usageOf(record.usage), ...(isRecord(record.delta) ? stopOf(record.delta) : [])];
      }
      if (type === "content_block_stop") return calls.end();
      if (type === "message_stop") isTerminal = true;
      return [];
    },
    isComplete: () => isTerminal,
    isOver: () => isTerminal,
  };
}

/** What stands as output at the start is a placeholder, usually 1: where no event counts the rest, the count is unknown. */
function withoutOutput(message: JsonRecord): JsonRecord {
  if (!isRecord(message.usage)) return message;
  const { output_tokens: _, ...usage } = message.usage;
  return { ...message, usage };
}

/**
 * Calls that the service runs itself (`server_tool_use` and the like): shown as the block that they are, with its input
 * once all of it has come.
 */
function createServiceCalls() {
  const open = new Map<string, { block: JsonRecord; json: string }>();
  return {
    begin(key: string, block: JsonRecord) {
      if (block.type !== "tool_use") open.set(key, { block, json: "" });
    },
    /** False where the block is no such call. */
    take(key: string, json: string): boolean {
      const call = open.get(key);
      if (call) call.json += json;
      return call !== undefined;
    },
    end(): TextFinding[] {
      const ended = [...open].filter(([, { json }]) => json !== "");
      open.clear();
      return ended.map(([key, { block, json }]) =>
        partAt(key, otherPart(asFilledText(block.type) ?? "", { ...block, input: tryParseJson(json) ?? json })),
      );
    },
  };
}

/** Text and thinking of a block, or of a delta to one: `text` or `thinking`, whatever its type is called. */
function takeBlock(block: JsonRecord): TextFinding[] {
  const thinking = asFilledText(block.thinking);
  // Blocks of other kinds, such as results of tools, are parts of their own.
  if (typeof block.type === "string" && !/^(text|thinking)(_delta)?$/.test(block.type)) return [];
  const text = asFilledText(block.text);
  return [
    ...(thinking === undefined ? [] : [{ kind: "reasoning" as const, text: thinking }]),
    ...(text === undefined ? [] : [{ kind: "text" as const, text, choice: 0 }]),
  ];
}

function stopOf(record: JsonRecord): TextFinding[] {
  const reason = asFilledText(record.stop_reason);
  return reason === undefined ? [] : [{ kind: "stop", reason }];
}
