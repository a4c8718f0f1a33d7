import { useEffect, useEffectEvent, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { abortableDelay } from "#lib/delay.ts";
import { fileKey } from "#media/file-address.ts";
import { addressesIn, inputKeys } from "#runs/job-inputs.ts";
import { isWhole, readPlace, START } from "#runs/job-list/reading-place.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import { openRows } from "#storage/database.ts";
import { hasPayload, type JobRecord, type TrackedJob, trackedRows } from "#storage/job-records.ts";
import { readIndex } from "#storage/seen-jobs.ts";
import { readAll } from "#storage/typed-rows.ts";

/** A job whose inputs are looked for. */
type Given = Pick<JobRecord, "requestId" | "payload">;

export interface SameInputs {
  /** How many other jobs were given one of the inputs. */
  others: number;
  /** Every job of the account was looked through, and of each it is known what it was given. */
  isWhole: boolean;
  /** Keys of the inputs that a job made: they are no uploads. Undefined where the index was not looked through. */
  made: ReadonlySet<string> | undefined;
}

const NO_INPUTS: SameInputs = { others: 0, isWhole: true, made: new Set() };

/** Counts jobs that were given one of the inputs of `jobs`. Jobs may be noted twice. */
function createCount(jobs: readonly Given[]) {
  const own = new Set(jobs.map(({ requestId }) => requestId));
  const inputs = new Set(jobs.flatMap(({ payload }) => inputKeys(payload)));
  // Reading an address takes microseconds, and there may be half a million: most have another end than any input.
  const ends = [...inputs].map(endOf);
  const used = (addresses: readonly string[]) =>
    addresses
      .filter((address) => ends.some((end) => address.includes(end)))
      .flatMap((address) => fileKey(address) ?? [])
      .filter((key) => inputs.has(key));
  const others = new Set<string>();
  const made = new Set<string>();
  const known = new Set<string>();
  const unknown = new Set<string>();
  return {
    hasInputs: inputs.size > 0,
    note({ requestId, payload, media }: Pick<JobRecord, "requestId" | "payload" | "media">) {
      for (const key of used(media.map(({ url }) => url))) made.add(key);
      if (own.has(requestId)) return;
      if (hasPayload({ payload })) known.add(requestId);
      else unknown.add(requestId);
      if (used(addressesIn(payload)).length > 0) others.add(requestId);
    },
    others: () => others.size,
    made,
    isEachKnown: () => [...unknown].every((requestId) => known.has(requestId)),
  };
}

/** The last part of a key's path as every address of the file has it; empty where it may be written in several ways. */
function endOf(key: string): string {
  const end = key.split("?")[0]?.split("/").at(-1) ?? "";
  return /^[\w.-]*$/.test(end) ? end : "";
}

/**
 * How many other jobs were given one of the inputs of `jobs`: looks through what this browser follows and through the
 * whole index of the history. Never rejects: what cannot be read makes the count incomplete.
 */
export async function findSameInputs(accountId: string, jobs: readonly Given[]): Promise<SameInputs> {
  const tracked = await openRows()
    .then((rows) => readAll(rows, trackedRows, accountId))
    .catch(() => []);
  const count = createCount(jobs.map((job) => withPayload(job, tracked)));
  if (!count.hasInputs) return NO_INPUTS;
  for (const job of tracked) count.note(job);
  try {
    const place = await readIndex(accountId, (indexed) => {
      for (const job of indexed) count.note(job);
    });
    const isIndexed = isWhole(readPlace(place) ?? START);
    return { others: count.others(), isWhole: isIndexed && count.isEachKnown(), made: count.made };
  } catch {
    return { others: count.others(), isWhole: false, made: undefined };
  }
}

/** A job with its parameters as far as they are known: the service may not report them, and this browser sent them. */
export function withPayload<T extends Given>(job: T, tracked: readonly TrackedJob[]): T {
  const payload = job.payload ?? tracked.find(({ requestId }) => requestId === job.requestId)?.payload;
  return job.payload ? job : { ...job, payload };
}

/** So long a deletion waits for the count. A database that another tab blocks must not prevent it. */
const PATIENCE_MS = 3000;
const NOT_COUNTED: SameInputs = { others: 0, isWhole: false, made: undefined };

/** What else uses the inputs of these jobs; undefined while it is being looked for. Looks while `isWanted`. */
export function useSameInputs(jobs: readonly Given[], isWanted: boolean): SameInputs | undefined {
  const accountId = useConnection()?.accountId ?? "";
  const tracked = useTrackedJobs();
  const hasInputs = isWanted && jobs.some((job) => inputKeys(withPayload(job, tracked).payload).length > 0);
  const ids = jobs.map(({ requestId }) => requestId).join("\n");
  const [found, setFound] = useState<{ ids: string; same: SameInputs }>();
  const look = useEffectEvent(() => findSameInputs(accountId, jobs));
  useEffect(() => {
    if (!hasInputs) return;
    const patience = new AbortController();
    const show = (same: SameInputs) => !patience.signal.aborted && setFound({ ids, same });
    abortableDelay(PATIENCE_MS, patience.signal)
      .then(() => show(NOT_COUNTED))
      .catch(() => undefined);
    void look().then((same) => {
      show(same);
      patience.abort();
    });
    return () => {
      patience.abort();
      setFound(undefined);
    };
  }, [ids, hasInputs]);
  if (!hasInputs) return NO_INPUTS;
  return found?.ids === ids ? found.same : undefined;
}
