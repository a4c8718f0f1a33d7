import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

/** How many prompts are remembered. */
const MAX_PROMPTS = 50;
/** Characters. Longer prompts would fill the storage that everything else shares. */
const LONGEST = 4000;

/**
 * Prompts that were run, latest first, at most the last few. Stored data is untrusted: anything but texts is left out.
 */
export function rememberedPrompts(): readonly string[] {
  const value = readJson(KEYS.prompts);
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === "string").slice(0, MAX_PROMPTS)
    : [];
}

/**
 * Remembers a prompt that was run, once and in front of the others. A very long one, or one without room, is not
 * stored.
 */
export function rememberPrompt(prompt: string): void {
  const text = prompt.trim();
  if (text === "" || text.length > LONGEST) return;
  const next = [text, ...rememberedPrompts().filter((known) => known !== text)].slice(0, MAX_PROMPTS);
  writeJson(KEYS.prompts, next);
}

export interface PromptWalk {
  /** How far back: 0 is what was being written. */
  step: number;
  /** What was being written before the walk began. */
  draft: string;
}

/**
 * One step through remembered prompts: up is older, down is newer, and below the latest is the person's own text again.
 * Undefined where there is no further one.
 */
export function walkPrompts(
  prompts: readonly string[],
  walk: PromptWalk | undefined,
  text: string,
  direction: "up" | "down",
): { walk: PromptWalk; text: string } | undefined {
  const from = walk ?? { step: 0, draft: text };
  const others = prompts.filter((prompt) => prompt !== from.draft);
  const step = from.step + (direction === "up" ? 1 : -1);
  if (step < 0 || step > others.length) return undefined;
  return { walk: { ...from, step }, text: step === 0 ? from.draft : (others[step - 1] ?? from.draft) };
}
