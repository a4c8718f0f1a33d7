import { isRecord, type JsonRecord } from "#lib/json.ts";
import { failure, failureOf } from "./text-failure.ts";
import { aboutOf, recordsOf, textOf, usageOf } from "./text-fields.ts";
import type { TextFinding, TextReader } from "./text-types.ts";

/**
 * Reads answers of POST /v1/completions (spec 4.2). A chunk and a whole body have the same shape. Usage may follow the
 * last choice in a chunk of its own, so an answer is complete with every choice's finish_reason and over with its stream.
 */
export function createCompletionReader(): TextReader {
  const open = new Set<number>();
  const finished = new Set<number>();
  let isAbout = false;

  const takeChoice = (choice: JsonRecord): TextFinding[] => {
    const index = typeof choice.index === "number" ? choice.index : 0;
    const text = textOf(choice.text) ?? chatText(choice, "content");
    const reasoning = chatText(choice, "reasoning_content") ?? chatText(choice, "reasoning");
    const reason = textOf(choice.finish_reason);
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
      const findings = [...about, ...usageOf(record.usage), ...recordsOf(record.choices).flatMap(takeChoice)];
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
    const text = isRecord(part) ? textOf(part[field]) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}
