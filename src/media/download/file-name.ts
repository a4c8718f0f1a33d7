import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Job } from "#api/types.ts";
import { isRecord } from "#lib/read.ts";
import { persistAt } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

/** The template of file names until a person writes one of their own. */
export const DEFAULT_NAME_TEMPLATE = "{model}-{date}-{index}";

/** The words a template knows; `{prompt:40}` cuts a value to 40 characters. */
export const NAME_TOKENS = ["date", "time", "model", "prompt", "seed", "index", "id"] as const;

export interface MediaNameParts {
  job: Pick<Job, "requestId" | "model" | "payload" | "createdAtSeconds">;
  /** Place of the file in its job, from 0; shown from 1. */
  index: number;
  /** From the file's own bytes (`fileKind`), never from its address. */
  extension: string;
  template?: string;
  /** Used for the date where the service did not say when the job was made. Milliseconds. */
  nowMs?: number;
}

/**
 * A safe file name for one file of a job: model, date (local), index and the real extension by default, or whatever the
 * template says. A token without a value is replaced by nothing.
 */
export function mediaFileName({ job, index, extension, template, nowMs }: MediaNameParts): string {
  const made = new Date(job.createdAtSeconds === undefined ? (nowMs ?? Date.now()) : job.createdAtSeconds * 1000);
  const values: Record<string, string> = {
    date: `${made.getFullYear()}-${twoDigits(made.getMonth() + 1)}-${twoDigits(made.getDate())}`,
    time: `${twoDigits(made.getHours())}.${twoDigits(made.getMinutes())}.${twoDigits(made.getSeconds())}`,
    model: job.model ?? "unknown model",
    prompt: firstText(job.payload, ["prompt", "text"]),
    seed: firstText(job.payload, ["seed"]),
    index: String(index + 1),
    id: job.requestId,
  };
  const filled = (template || DEFAULT_NAME_TEMPLATE).replace(/\{(\w+)(?::(\d+))?\}/g, (whole, token, length) => {
    if (!Object.hasOwn(values, token)) return whole;
    const value = values[token] ?? "";
    return length === undefined ? value : Array.from(value).slice(0, Number(length)).join("").trim();
  });
  return safeFileName(filled, extension);
}

function firstText(payload: unknown, keys: string[]): string {
  if (!isRecord(payload)) return "";
  for (const key of keys) {
    const value = payload[key];
    if (typeof value === "string" && value) return value;
    if (typeof value === "number") return String(value);
  }
  return "";
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** The longest name made here, in bytes of UTF-8 and with its extension: every file system takes it. */
export const MAX_NAME_BYTES = 120;

const FALLBACK = "media";
/** Names of devices, which Windows does not allow for files. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])$/i;
// Separators and what Windows refuses; controls, formats (bidi, zero width), line and paragraph separators,
// private use, unassigned, and halves of surrogate pairs.
const UNSAFE = /[/\\<>:"|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]+/gu;

/**
 * A name that any file system takes and that cannot leave its folder, however hostile the text it is made from.
 * The extension is put on as given (letters and digits only); the rest is cut to fit.
 */
export function safeFileName(text: string, extension: string, maxBytes = MAX_NAME_BYTES): string {
  const suffix = `.${extension.replace(/[^a-z0-9]/gi, "").toLowerCase() || "bin"}`;
  const cleaned = trimEdges(
    text
      .normalize("NFC")
      .replace(UNSAFE, "-")
      .replace(/\s+/gu, " ")
      .replace(/\.{2,}/g, ".")
      .replace(/-{2,}/g, "-"),
  );
  const fitted = trimEdges(cutToBytes(cleaned, maxBytes - suffix.length - 1)) || FALLBACK;
  const base = fitted.split(".")[0]?.trim() ?? "";
  return `${DEVICE.test(base) ? "_" : ""}${fitted}${suffix}`;
}

/**
 * Gives a function that makes names unique: a name that was given before gets `-2`, `-3` before its extension. Letter
 * case makes no difference.
 */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  const nextNumber = new Map<string, number>();
  return (name) => {
    const first = folded(name);
    if (!taken.has(first)) {
      taken.add(first);
      return name;
    }
    for (let number = nextNumber.get(first) ?? 2; ; number++) {
      const candidate = numbered(name, number);
      if (taken.has(folded(candidate))) continue;
      nextNumber.set(first, number + 1);
      taken.add(folded(candidate));
      return candidate;
    }
  };
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  const suffix = `-${number}${dot > 0 ? name.slice(dot) : ""}`;
  const stem = dot > 0 ? name.slice(0, dot) : name;
  return `${cutToBytes(stem, MAX_NAME_BYTES - suffix.length)}${suffix}`;
}

// Names that macOS and Windows treat as the same give the same text.
function folded(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}

function trimEdges(text: string): string {
  return text.replace(/^[.\s~-]+|[.\s-]+$/gu, "");
}

function cutToBytes(text: string, maxBytes: number): string {
  const encoder = new TextEncoder();
  if (encoder.encode(text).length <= maxBytes) return text;
  let cut = "";
  let bytes = 0;
  for (const character of text) {
    bytes += encoder.encode(character).length;
    if (bytes > maxBytes) break;
    cut += character;
  }
  return cut;
}

/** Characters of a template. */
const LONGEST_TEMPLATE = 200;

const useStore = create<{ template: string }>()(
  persist(() => ({ template: "" }), {
    ...persistAt(KEYS.nameTemplate),
    version: 1,
    // What storage gives back is untrusted.
    merge: (stored) => ({
      template:
        isRecord(stored) && typeof stored.template === "string" ? stored.template.slice(0, LONGEST_TEMPLATE) : "",
    }),
  }),
);

/** The template of file names that the person wrote, else the studio's own. */
export function nameTemplate(): string {
  return useStore.getState().template.trim() || DEFAULT_NAME_TEMPLATE;
}

/** What the person wrote, as it stands in the field; empty where they wrote none. */
export function useNameTemplate(): string {
  return useStore((state) => state.template);
}

/**
 * Stores a template on this device; an empty one means the studio's own. Without storage it lasts as long as the page.
 */
export function setNameTemplate(template: string): void {
  useStore.setState({ template: template.slice(0, LONGEST_TEMPLATE) });
}
