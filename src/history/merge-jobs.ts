import { isNews, type JobRecord, mergeRecords } from "#storage/job-records.ts";
import { mergeSorted, newestFirst } from "./job-index/seen-jobs.ts";

/**
 * A listed job with the price, the settings and the end that this browser's own row knows of it. Its time stays that of the
 * list: where the list has none, its order is all that is known of any of its jobs.
 */
export function joinRow(row: JobRecord | undefined, listed: JobRecord): JobRecord {
  return row ? { ...mergeRecords(row, listed), createdAtSeconds: listed.createdAtSeconds } : listed;
}

interface MergeOptions {
  /** What the index found, newest first. */
  found: readonly JobRecord[];
  /** The newest page of the service's list as it is now, and the older pages that were read. */
  listed: readonly JobRecord[];
  /** Down to which second the index holds every job. Older jobs that it knows are not shown: more may lie between. */
  reachSeconds: number;
  /** A job as the index has it. */
  known: (requestId: string) => JobRecord | undefined;
}

/**
 * One list of what the index and the service know, each job once, newest first. It only ever grows at its end while older
 * jobs are read, and at its beginning with new ones. Where records carry no times, the service's own order leads.
 */
export function mergeJobs({ found, listed, reachSeconds, known }: MergeOptions): readonly JobRecord[] {
  if (listed.length === 0 && reachSeconds === Number.NEGATIVE_INFINITY) return found;
  const ids = new Set<string>();
  const own: JobRecord[] = [];
  for (const entry of listed) {
    if (ids.has(entry.requestId)) continue;
    ids.add(entry.requestId);
    own.push(withKnown(entry, known(entry.requestId)));
  }
  const isTimed = own.length === 0 || own.some(({ createdAtSeconds }) => createdAtSeconds !== undefined);
  const isRest = ({ requestId, createdAtSeconds }: JobRecord) =>
    isReached(createdAtSeconds, reachSeconds) && !ids.has(requestId);
  if (!isTimed) return [...own, ...found.filter(isRest)];
  own.sort(newestFirst);
  // Where everything is reached, the many jobs that are older than those of the service stay as they are.
  const end = reachSeconds === Number.NEGATIVE_INFINITY ? firstOlder(found, own.at(-1)) : found.length;
  return mergeSorted(own, found.slice(0, end).filter(isRest)).concat(found.slice(end));
}

/** The place of the first job that is older than another; all are newest first. */
function firstOlder(entries: readonly JobRecord[], than: JobRecord | undefined): number {
  if (!than) return 0;
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (newestFirst(entries[middle] as JobRecord, than) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Jobs without a time are shown once everything was read. */
function isReached(createdAtSeconds: number | undefined, reachSeconds: number): boolean {
  return createdAtSeconds === undefined ? reachSeconds === Number.NEGATIVE_INFINITY : createdAtSeconds >= reachSeconds;
}

// The same object as long as nothing is new, so that its tile does not render again.
function withKnown(entry: JobRecord, known: JobRecord | undefined): JobRecord {
  if (!known) return entry;
  const full = mergeRecords(known, entry);
  return isNews(known, full) ? full : known;
}
