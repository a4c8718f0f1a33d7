import type { MediaItem } from "#api/types.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import type { HistoryEntry } from "../history-entry.ts";

/** The file of a job that another model can be given: it has an address of its own, and was not deleted. */
export function inputOf(entry: HistoryEntry, file: number): MediaItem | undefined {
  const item = entry.media[file];
  return item && /^https?:/i.test(item.url) && !isMediaDeleted(entry.requestId) ? item : undefined;
}
