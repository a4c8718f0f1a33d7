import type { HistoryEntry } from "#screens/history/history-entry.ts";

/** A finished job of the history, without a file and without a time unless they are given. */
export function someEntry(requestId: string, over: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    requestId,
    model: "m",
    status: "success",
    prompt: "",
    media: [],
    payload: undefined,
    aspect: 1,
    createdAtSeconds: undefined,
    updatedAtSeconds: undefined,
    failureReason: undefined,
    priceMicroUsd: undefined,
    ...over,
  };
}
