import { plainName } from "#lib/find-value.ts";
import { isRecord } from "#lib/read.ts";
import { redactAddresses } from "#lib/redact-secret.ts";
import { visibleText } from "#lib/visible-text.ts";
import { RefusedError } from "./api-error.ts";
import { readJson } from "./read-body.ts";
import { answeredAtSeconds } from "./service-clock.ts";

/** Characters of the message of an error; a screen has no room for more. */
const MAX_MESSAGE_LENGTH = 600;

/** Why the studio's own host answered in the service's place, or repeats its answer (src/host/rules.md). */
export const readHostReason = (headers: Headers): string | undefined => headers.get("x-safelight-relay") ?? undefined;

/**
 * Makes the error of an answer that is not 2xx. Spec 7 shows `{error: {message, type}}`; rule 5 leaves the queue's body
 * open, and real ones also send `{error: "text"}`, `{message}`, `{detail}`, plain text and HTML. A body that cannot be
 * read gives a message of our own. `headers`: those that a page may read.
 */
export function readError(status: number, text: string, headers = new Headers()): RefusedError {
  const body = parse(text, status);
  const inner = isRecord(body) ? body.error : undefined;
  const type = isRecord(inner) && typeof inner.type === "string" && inner.type !== "" ? inner.type : undefined;
  const message = readErrorMessage(body) ?? `The service responded with ${status} and gave no reason.`;
  const hasEnvelope = isRecord(body) && (isRecord(inner) || typeof inner === "string");
  return new RefusedError({
    status,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
    type,
    body,
    hasEnvelope,
    hostReason: readHostReason(headers),
    retryAfterMs: retryAfterMs(headers),
  });
}

/**
 * The wait of a `Retry-After`, in ms: seconds, or a date, which counts from the answer's own `Date`, because the device's
 * clock may be wrong. Undefined for anything else, and for a date without one.
 */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value) / 1000;
  const answered = answeredAtSeconds(headers);
  return Number.isNaN(until) || answered === undefined ? undefined : Math.max(0, until - answered) * 1000;
}

/** Names of an error's words, the likeliest first. */
const WORDS =
  "error errors message errormessage errormsg errordescription detail msg fault faultstring exception err reason description title text info messages en".split(
    " ",
  );
/** Records that an error may stand in. */
const AROUND = "status meta data payload response result body".split(" ");
/** A word for programs, or one that repeats the status. It is used only where no other words stand beside it. */
const BARE_CODE =
  /^([\w.:-]+|bad request|not found|internal server error|unprocessable (entity|content)|service unavailable)$/i;
const MAX_DEPTH = 8;

/** The human-readable text of an error value in any of the shapes seen, or undefined where it carries none. */
export function readErrorMessage(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return plainText(value);
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return joined(value, depth);
  if (!isRecord(value)) return undefined;
  const inner = readErrorMessage(unwrapped(value.details), depth + 1);
  if (inner !== undefined) return inner;
  const own = new Map(Object.entries(value).map(([key, part]) => [plainName(key), part]));
  let code: string | undefined;
  for (const name of WORDS) {
    const part = own.get(name);
    const isFields = name === "errors" && isRecord(part);
    const words = readErrorMessage(part, depth + 1) ?? (isFields ? joined(Object.values(part), depth) : undefined);
    if (words === undefined) continue;
    if (typeof part !== "string" || !BARE_CODE.test(words)) return words;
    code ??= words;
  }
  for (const name of code === undefined ? AROUND : []) {
    const part = own.get(name);
    const words = isRecord(part) ? readErrorMessage(part, depth + 1) : undefined;
    if (words !== undefined) return words;
  }
  return code;
}

/** `details` may be a JSON string that holds the provider's own, more exact error. */
function unwrapped(details: unknown): unknown {
  if (typeof details !== "string") return undefined;
  const inner = parse(details, 0);
  return isRecord(inner) ? inner : undefined;
}

function joined(values: unknown[], depth: number): string | undefined {
  const parts = values.slice(0, 5).flatMap((value) => readErrorMessage(value, depth + 1) ?? []);
  return parts.length > 0 ? parts.join("; ") : undefined;
}

function plainText(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (!/^<(!doctype|html|head|body|\?xml|error)/i.test(trimmed)) return shown(trimmed);
  const words = trimmed
    .slice(0, 5000)
    .replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return words === "" ? undefined : shown(words);
}

/** Characters of a service's words that are looked at; longer ones help nobody. */
const MAX_WORDS_LENGTH = 4000;

/** A service's words as they may be shown and stored: hidden characters named, keys in addresses redacted. */
const shown = (words: string) => visibleText(redactAddresses(words.slice(0, MAX_WORDS_LENGTH)));

function parse(text: string, status: number): unknown {
  try {
    return readJson(text, status);
  } catch {
    return text;
  }
}
