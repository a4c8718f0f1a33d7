import type { HistoryEntry } from "../history-entry.ts";

/** What the viewer shows: a job, and one of its files. */
export interface ViewerPlace {
  requestId: string;
  /** From 0. */
  file: number;
}

/** One file forward or back: over the files of a job, then to the next job. Stays at either end. */
export function movedPlace(place: ViewerPlace, step: 1 | -1, entries: readonly HistoryEntry[]): ViewerPlace {
  const index = entries.findIndex((entry) => entry.requestId === place.requestId);
  const entry = entries[index];
  if (!entry) return place;
  const file = place.file + step;
  if (file >= 0 && file < Math.max(1, entry.media.length)) return { ...place, file };
  const other = entries[index + step];
  if (!other) return place;
  return { requestId: other.requestId, file: step === 1 ? 0 : Math.max(0, other.media.length - 1) };
}

/** A place as it stands in the address: the id, and the file where it is not the first. */
export function placeText({ requestId, file }: ViewerPlace): string {
  return file > 0 ? `${requestId}~${file + 1}` : requestId;
}

/** A place read from the address. */
export function readPlace(text: string): ViewerPlace {
  const match = /^(.+)~(\d{1,3})$/.exec(text);
  if (!match?.[1]) return { requestId: text, file: 0 };
  return { requestId: match[1], file: Math.max(0, Number(match[2]) - 1) };
}
