import type { AnswerPart } from "#api/text/text-types.ts";
import { asList, asText, isRecord } from "#lib/read.ts";

/** More parts than any real answer has; what follows is only in the request log. */
const MAX_PARTS = 200;
const LONGEST_TEXT = 200_000;
/** Of a tool call that goes along as text. */
const LONGEST_SENT = 4000;

/** The parts of an answer that is coming, in the order in which they began. */
export class PartList {
  readonly #parts = new Map<string, AnswerPart>();
  #all: readonly AnswerPart[] = [];

  /** `begun`: the parts so far, when an answer is continued. */
  constructor(begun: readonly AnswerPart[] = []) {
    for (const [at, part] of begun.entries()) this.put(`begun ${at}`, part);
  }

  put(key: string, part: AnswerPart): void {
    if (this.#parts.size >= MAX_PARTS && !this.#parts.has(key)) return;
    this.#parts.set(key, part);
    this.#all = [...this.#parts.values()];
  }

  addText(key: string, text: string): void {
    this.put(key, addPartText(this.#parts.get(key), { key, text }));
  }

  /** The same list until something is put. */
  all(): readonly AnswerPart[] {
    return this.#all;
  }
}

/** A part with more of its text. Where no event began the part, its key says what it is. */
export function addPartText(part: AnswerPart | undefined, { key, text }: { key: string; text: string }): AnswerPart {
  const begun = part ?? emptyPart(key);
  const grown = (before: string) => (before.length < LONGEST_TEXT ? before + text : before);
  if (begun.kind === "tool-call") return { ...begun, input: grown(begun.input) };
  if (begun.kind === "refusal") return { ...begun, text: grown(begun.text) };
  return begun.kind === "other" ? { ...begun, json: grown(begun.json) } : begun;
}

function emptyPart(key: string): AnswerPart {
  if (key === "refusal") return { kind: "refusal", text: "" };
  if (key === "audio transcript") return { kind: "other", type: key, json: "" };
  return { kind: "tool-call", name: "unnamed", input: "" };
}

/** Parts from the database or from a file, read as untrusted data. */
export function readParts(raw: unknown): AnswerPart[] {
  return asList(raw)
    .slice(0, MAX_PARTS)
    .flatMap((one) => readPart(one) ?? []);
}

function readPart(raw: unknown): AnswerPart | undefined {
  if (!isRecord(raw)) return undefined;
  const text = (name: string) => (asText(raw[name]) ?? "").slice(0, LONGEST_TEXT);
  switch (raw.kind) {
    case "tool-call":
      return { kind: raw.kind, name: text("name"), input: text("input") };
    case "refusal":
      return { kind: raw.kind, text: text("text") };
    case "citation":
      return { kind: raw.kind, title: text("title"), url: text("url"), quote: text("quote") };
    case "picture":
      return typeof raw.pictureId === "string"
        ? { kind: raw.kind, mimeType: text("mimeType"), pictureId: raw.pictureId }
        : undefined;
    case "other":
      return { kind: raw.kind, type: text("type"), json: text("json") };
    default:
      return undefined;
  }
}

/**
 * What goes along of an answer with the next question, which is text on all three endpoints: its own words, those of a
 * refusal, and each call of a tool in words. A call sent back as a call would have to be followed by its result.
 */
export function sentText(text: string, parts: readonly AnswerPart[] = []): string {
  const words = parts.flatMap((part) => {
    if (part.kind === "refusal") return part.text === "" ? [] : [part.text];
    return part.kind === "tool-call" ? [`[Tool call: ${part.name}(${part.input.slice(0, LONGEST_SENT)})]`] : [];
  });
  return [text, ...words].filter((one) => one.trim() !== "").join("\n\n");
}

/** An answer with its parts, for reading as Markdown. */
export function partsMarkdown(text: string, parts: readonly AnswerPart[] = []): string {
  let source = 0;
  const write = (part: AnswerPart): string => {
    switch (part.kind) {
      case "tool-call":
        return `Tool call: ${part.name}\n\n${fenced(part.input)}`;
      case "refusal":
        return `Refused: ${part.text}`;
      case "citation":
        source += 1;
        return `${source}. ${[part.title, part.url].filter((one) => one !== "").join(", ")}`;
      case "picture":
        return `Image (${part.mimeType})`;
      case "other":
        return `Block: ${part.type}\n\n${fenced(part.json)}`;
    }
  };
  const blocks = parts.map(write);
  return [text, ...blocks].filter((one) => one !== "").join("\n\n");
}

/** A fence that no line of the text can close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((marks) => marks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}
