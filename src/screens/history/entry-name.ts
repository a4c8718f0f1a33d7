import type { HistoryEntry } from "./history-entry.ts";

/** What a job is called in the list: its prompt, else its model, else its id. */
export function entryName(entry: Pick<HistoryEntry, "prompt" | "model" | "requestId">): string {
  return entry.prompt || entry.model || entry.requestId;
}
