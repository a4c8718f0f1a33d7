import { asFilledText, asRecords, isRecord, type JsonRecord } from "#lib/read.ts";
import { aboutOf, failure, failureOf, type TextFinding, type TextReader, usageOf } from "./text-findings.ts";

/**
 * Reads answers of POST /v1/completions (spec 4.2). A chunk and a complete body have the same shape. Usage may follow
 * the last choice in a chunk of its own, so an answer is complete with every choice's finish_reason and over with its
 * stream. Never throws.
 */
export function createCompletionReader(): TextReader {
  const open = new Set<number>();
  const finished = new Set<number>();
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
      const findings = [...about, ...usageOf(record.usage), ...asRecords(record.choices).flatMap(takeChoice)];
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
    const text = isRecord(part) ? asFilledText(part[field]) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

/**
 * Reads answers of POST /v1/messages (spec 4.2): typed events, or a complete message object. Blocks need not be closed,
 * or opened, in order; unknown events and deltas are ignored. Never throws.
 */
export function createMessageReader(): TextReader {
  let isTerminal = false;

  const takeMessage = (message: JsonRecord): TextFinding[] => [
    ...aboutOf(message),
    ...asRecords(message.content).flatMap(takeBlock),
    ...usageOf(message.usage),
    ...stopOf(message),
  ];

  return {
    take(record, name) {
      const failed = failureOf(record, name);
      if (failed !== undefined) return [failed];
      const type = asFilledText(record.type) ?? name;
      if (type === "message") {
        isTerminal = true;
        return takeMessage(record);
      }
      if (type === "message_start") return isRecord(record.message) ? takeMessage(record.message) : [];
      if (type === "content_block_start") return isRecord(record.content_block) ? takeBlock(record.content_block) : [];
      if (type === "content_block_delta") return isRecord(record.delta) ? takeBlock(record.delta) : [];
      if (type === "message_delta") {
        return [...usageOf(record.usage), ...(isRecord(record.delta) ? stopOf(record.delta) : [])];
      }
      if (type === "message_stop") isTerminal = true;
      return [];
    },
    isComplete: () => isTerminal,
    isOver: () => isTerminal,
  };
}

/** Text and thinking of a block, or of a delta to one: `text` or `thinking`, whatever its type is called. */
function takeBlock(block: JsonRecord): TextFinding[] {
  const thinking = asFilledText(block.thinking);
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

const TEXT_PARTS = /^response\.(output_text|refusal)\.(delta|done)$/;
const REASONING_PARTS = /^response\.reasoning(_summary)?_text\.(delta|done)$/;

/**
 * Reads answers of POST /v1/responses (spec 4.2): typed events, or a complete response object. Text that only comes in
 * a `done` event or in the final object is taken from there; text that came before is not taken twice. Never throws.
 */
export function createResponseReader(): TextReader {
  const partial = new Map<string, string>();
  let hasText = false;
  let hasReasoning = false;
  let isAbout = false;
  let isTerminal = false;

  const takePart = (record: JsonRecord, type: string, kind: "text" | "reasoning"): TextFinding[] => {
    const key = [kind, record.item_id, record.output_index, record.content_index, record.summary_index].join("/");
    const known = partial.get(key) ?? "";
    let text: string | undefined;
    if (type.endsWith(".delta")) {
      text = asFilledText(record.delta);
      partial.set(key, known + (text ?? ""));
    } else {
      const whole = asFilledText(record.text) ?? asFilledText(record.refusal) ?? "";
      text = whole.startsWith(known) ? asFilledText(whole.slice(known.length)) : undefined;
      partial.delete(key);
    }
    return text === undefined ? [] : [found(kind, text)];
  };

  const found = (kind: "text" | "reasoning", text: string): TextFinding => {
    if (kind === "reasoning") {
      hasReasoning = true;
      return { kind, text };
    }
    hasText = true;
    return { kind, text, choice: 0 };
  };

  const takeResponse = (response: JsonRecord, isEnd: boolean): TextFinding[] => {
    const findings: TextFinding[] = isAbout ? [] : aboutOf(response);
    isAbout ||= findings.length > 0;
    if (!isEnd) return findings;
    isTerminal = true;
    const output = asRecords(response.output);
    const reasoning = hasReasoning ? "" : output.filter(isReasoning).map(reasoningOf).join("");
    const text = hasText ? "" : output.map(messageText).join("");
    if (reasoning !== "") findings.push(found("reasoning", reasoning));
    if (text !== "") findings.push(found("text", text));
    findings.push(...usageOf(response.usage));
    if (response.status === "failed" || isRecord(response.error)) {
      findings.push(failure(response.error, isRecord(response.error) ? response.error : {}));
    } else findings.push({ kind: "stop", reason: stopReasonOf(response) });
    return findings;
  };

  return {
    take(record, name) {
      const type = asFilledText(record.type) ?? name ?? "";
      if (record.object === "response" || (type === "" && Array.isArray(record.output)))
        return takeResponse(record, true);
      if (TEXT_PARTS.test(type)) return takePart(record, type, "text");
      if (REASONING_PARTS.test(type)) return takePart(record, type, "reasoning");
      if (isRecord(record.response)) {
        return takeResponse(ended(record.response, type), /^response\.(completed|incomplete|failed)$/.test(type));
      }
      const failed = failureOf(record, name);
      return failed === undefined ? [] : [failed];
    },
    isComplete: () => isTerminal,
    isOver: () => isTerminal,
  };
}

/** The event's own name decides how it ended: the object in it may lack a status. */
function ended(response: JsonRecord, type: string): JsonRecord {
  if (type === "response.failed") return { ...response, status: "failed" };
  return type === "response.incomplete" ? { ...response, status: "incomplete" } : response;
}

function stopReasonOf(response: JsonRecord): string | undefined {
  const details = response.incomplete_details;
  return (isRecord(details) ? asFilledText(details.reason) : undefined) ?? asFilledText(response.status);
}

const isReasoning = (item: JsonRecord) => item.type === "reasoning";

function reasoningOf(item: JsonRecord): string {
  return [...asRecords(item.content), ...asRecords(item.summary)].map(({ text }) => asFilledText(text) ?? "").join("");
}

function messageText(item: JsonRecord): string {
  if (item.type !== undefined && item.type !== "message") return "";
  return asRecords(item.content)
    .map((part) => asFilledText(part.text) ?? asFilledText(part.refusal) ?? "")
    .join("");
}
