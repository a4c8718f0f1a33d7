import { isRecord, type JsonRecord } from "#lib/json.ts";
import { failure, failureOf } from "./text-failure.ts";
import { aboutOf, recordsOf, textOf, usageOf } from "./text-fields.ts";
import type { TextFinding, TextReader } from "./text-types.ts";

const TEXT_PARTS = /^response\.(output_text|refusal)\.(delta|done)$/;
const REASONING_PARTS = /^response\.reasoning(_summary)?_text\.(delta|done)$/;

/**
 * Reads answers of POST /v1/responses (spec 4.2): typed events, or a whole response object. Text that only comes in a
 * `done` event or in the final object is taken from there; text that came before is not taken twice.
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
      text = textOf(record.delta);
      partial.set(key, known + (text ?? ""));
    } else {
      const whole = textOf(record.text) ?? textOf(record.refusal) ?? "";
      text = whole.startsWith(known) ? textOf(whole.slice(known.length)) : undefined;
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
    const output = recordsOf(response.output);
    const reasoning = hasReasoning ? "" : output.filter(isReasoning).map(reasoningOf).join("");
    const text = hasText ? "" : output.map(messageTextOf).join("");
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
      const type = textOf(record.type) ?? name ?? "";
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

/** The event's own name decides how it ended, also where the object in it forgets to say so. */
function ended(response: JsonRecord, type: string): JsonRecord {
  if (type === "response.failed") return { ...response, status: "failed" };
  return type === "response.incomplete" ? { ...response, status: "incomplete" } : response;
}

function stopReasonOf(response: JsonRecord): string | undefined {
  const details = response.incomplete_details;
  return (isRecord(details) ? textOf(details.reason) : undefined) ?? textOf(response.status);
}

const isReasoning = (item: JsonRecord) => item.type === "reasoning";

function reasoningOf(item: JsonRecord): string {
  return [...recordsOf(item.content), ...recordsOf(item.summary)].map(({ text }) => textOf(text) ?? "").join("");
}

function messageTextOf(item: JsonRecord): string {
  if (item.type !== undefined && item.type !== "message") return "";
  return recordsOf(item.content)
    .map((part) => textOf(part.text) ?? textOf(part.refusal) ?? "")
    .join("");
}
