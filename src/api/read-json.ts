import { isRecord } from "#lib/json.ts";
import { UnreadableAnswerError } from "./api-error.ts";

const DEEPEST = 64;
const MOST_VALUES = 400_000;

/**
 * The one gate through which every answer becomes data: parses, refuses what is absurdly deep or large, and drops every
 * key named `__proto__`, which later copies would turn into a real prototype. Throws `UnreadableAnswerError`.
 */
export function readJson(text: string, status: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableAnswerError({ status, excerpt: text, reason: "The answer is not JSON." });
  }
  if (!makeSafe(value)) {
    throw new UnreadableAnswerError({ status, excerpt: text, reason: "The answer is too deep or too large." });
  }
  return value;
}

/** Walks without recursion: an answer nested 100,000 deep must not end the page. */
function makeSafe(root: unknown): boolean {
  let level: unknown[] = [root];
  let seen = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return false;
    seen += level.length;
    if (seen > MOST_VALUES) return false;
    const next: unknown[] = [];
    for (const value of level) {
      if (Array.isArray(value)) pushContainers(next, value);
      else if (isRecord(value)) {
        if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
        pushContainers(next, Object.values(value));
      }
      if (next.length > MOST_VALUES) return false;
    }
    level = next;
  }
  return true;
}

function pushContainers(into: unknown[], values: unknown[]): void {
  for (const value of values) if (typeof value === "object" && value !== null) into.push(value);
}
