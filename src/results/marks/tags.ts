import type { MarksById } from "./marks.ts";

/** Only the largest collections are offered. */
const MAX_SHOWN = 12;

/** Tags from a line with commas: each once, trimmed, in lower case. */
export function readTags(text: string): string[] {
  return [...new Set(text.split(",").map((tag) => tag.trim().toLowerCase()))].filter(Boolean);
}

/** The tags of all jobs, those of the most jobs first. */
export function knownTags(marks: MarksById): string[] {
  const counts = new Map<string, number>();
  for (const { tags } of marks.values()) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_SHOWN)
    .map(([tag]) => tag);
}

/** The search term that finds the jobs with a tag. */
export function tagTerm(tag: string): string {
  return /\s/.test(tag) ? `tag:"${tag}"` : `tag:${tag}`;
}
