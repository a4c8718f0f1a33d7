import { hashText } from "#sandbox/media/seeded-random.ts";
import { countTokens } from "./tokens.ts";

/**
 * A piece of the prompt in its order. `lifetimeSeconds` marks the end of a prefix to cache (a `cache_control` block).
 */
export interface PromptSegment {
  text: string;
  lifetimeSeconds?: 300 | 3600;
}

/** Input tokens by how they are billed; together they are the whole prompt. */
export interface InputUsage {
  plain: number;
  cacheRead: number;
  written5m: number;
  written1h: number;
}

export interface PromptCache {
  /** Counts a prompt and stores its marked prefixes; `owner` is the organisation and the model. */
  account(owner: string, segments: readonly PromptSegment[], nowMs: number): InputUsage;
}

/** Shorter prefixes are not cached. Real services ask for about 1,024; the sandbox asks for less, to be tried by hand. */
const SHORTEST_PREFIX = 64;
/** How many blocks before the last mark are searched for a cached prefix. */
const LOOK_BACK = 20;
const MAX_ENTRIES = 2000;

export function createPromptCache(): PromptCache {
  const cached = new Map<string, { untilMs: number; lifetimeMs: number }>();

  const isStored = (key: string, nowMs: number): boolean => {
    const entry = cached.get(key);
    if (entry === undefined || entry.untilMs <= nowMs) return false;
    entry.untilMs = nowMs + entry.lifetimeMs;
    return true;
  };

  return {
    account(owner, segments, nowMs) {
      const { totals, keys } = prefixes(owner, segments);
      const total = totals.at(-1) ?? 0;
      const last = segments.findLastIndex((segment) => segment.lifetimeSeconds !== undefined);
      const usage: InputUsage = { plain: total, cacheRead: 0, written5m: 0, written1h: 0 };
      if (last < 0 || (totals[last] ?? 0) < SHORTEST_PREFIX) return usage;

      // The longest prefix that is cached is read.
      let counted = 0;
      let first = 0;
      for (let index = last; index >= Math.max(0, last - LOOK_BACK); index--) {
        if (!isStored(keys[index] ?? "", nowMs)) continue;
        counted = totals[index] ?? 0;
        first = index + 1;
        break;
      }
      usage.cacheRead = counted;
      // Each mark after it caches a longer prefix, and pays for what that adds.
      for (let index = first; index <= last; index++) {
        const lifetimeSeconds = segments[index]?.lifetimeSeconds;
        const prefixTokens = totals[index] ?? 0;
        if (lifetimeSeconds === undefined || prefixTokens < SHORTEST_PREFIX) continue;
        if (lifetimeSeconds === 3600) usage.written1h += prefixTokens - counted;
        else usage.written5m += prefixTokens - counted;
        counted = prefixTokens;
        cached.set(keys[index] ?? "", { untilMs: nowMs + lifetimeSeconds * 1000, lifetimeMs: lifetimeSeconds * 1000 });
      }
      usage.plain = total - counted;
      for (const key of cached.keys()) {
        if (cached.size <= MAX_ENTRIES) break;
        cached.delete(key);
      }
      return usage;
    },
  };
}

/** For each segment, the tokens up to its end and a key for the text up to there. */
function prefixes(owner: string, segments: readonly PromptSegment[]): { totals: number[]; keys: string[] } {
  let total = 0;
  let key = owner;
  const totals: number[] = [];
  const keys: string[] = [];
  for (const { text } of segments) {
    total += countTokens(text);
    key = `${owner} ${hashText(`${key}\u0000${text}`)} ${total}`;
    totals.push(total);
    keys.push(key);
  }
  return { totals, keys };
}
