// Deletes the files of jobs at the service, and finds out which other jobs use the same inputs.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { RefusedError, UnusableIdError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/jobs.ts";
import { mayRetryRead, retryDelayMs } from "#api/retry-policy.ts";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { abortableDelay } from "#lib/delay.ts";
import {
  confirmDeletion,
  type DeletedMedia,
  getDeletedMedia,
  leaveDeletionOpen,
  noteDeletion,
  withdrawDeletion,
} from "#media/deleted-media.ts";
import type { BulkJob } from "#media/download/bulk-entries.ts";
import { fileKey, filePlace } from "#media/file-address.ts";
import { allUploads, forgetUploads } from "#media/upload/upload-memory.ts";
import { addressesIn, inputKeys } from "#runs/job-inputs.ts";
import { isWhole, readPlace, START } from "#runs/job-list/job-pages.ts";
import { jobKey } from "#runs/poll/job-queries.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { openRows } from "#storage/database.ts";
import { hasPayload, type JobRecord, type TrackedJob, trackedRows } from "#storage/job-records.ts";
import { readIndex } from "#storage/seen-jobs.ts";
import { readAll } from "#storage/typed-rows.ts";

/** How many deletions are under way at once. */
const MAX_AT_ONCE = 3;

interface DeleteMediaResult {
  deleted: string[];
  failed: { requestId: string; error: unknown }[];
}

interface Deletion {
  jobs: readonly BulkJob[];
  /** Keys of inputs that are results of jobs; undefined where that is not known (`SameInputs`). */
  made: ReadonlySet<string> | undefined;
}

/** Whether the files of a job can be deleted: it is over, and has files whose deletion is not confirmed. */
export function canDelete({ requestId, media, status }: JobRecord, deleted: DeletedMedia["jobs"]): boolean {
  return media.length > 0 && !deleted.get(requestId)?.isConfirmed && isFinal(status);
}

/**
 * Deletes the media of finished jobs, one or many. The service's delete is idempotent (spec 4.1), so it may be sent
 * again after 429, 502, 503 and no response, and a partial failure can simply be repeated. A 404 or 410 for the job's media
 * means that they are gone already. Records and charges stay. The mutation does not fail: a job whose media could not be
 * deleted is in its result.
 */
export function useDeleteMedia() {
  const api = useApi();
  const client = useQueryClient();
  const accountId = useConnection()?.accountId ?? "";
  const tracked = useTrackedJobs();
  return useMutation({
    mutationFn: async ({ jobs, made }: Deletion) => {
      const jobsWithInputs = jobs.map((job) =>
        withPayload(
          { ...job, payload: job.payload ?? client.getQueryData<Job>(jobKey(job.requestId))?.payload },
          tracked,
        ),
      );
      const isStored = await storedInputTest(accountId, made);
      const notes = deletionNotes(accountId, jobsWithInputs, isStored);
      const ids = jobs.map(({ requestId }) => requestId);
      const result = await deleteJobMedia(api, ids, notes);
      const payloads = jobsWithInputs
        .filter(({ requestId }) => result.deleted.includes(requestId))
        .map(({ payload }) => payload);
      // The service deletes the inputs that it stores, too. So the same bytes must be uploaded again before they are used.
      // Where a job's inputs are not known here, any upload may be gone.
      if (payloads.length > 0) {
        await forgetUploads(accountId, payloads.includes(undefined) ? undefined : addressesIn(payloads));
      }
      return result;
    },
    onSuccess: async ({ deleted }) => {
      if (deleted.length === 0) return;
      await Promise.all([
        client.invalidateQueries({ queryKey: ["jobs", "list"] }),
        ...deleted.map((id) => client.invalidateQueries({ queryKey: ["jobs", "detail", id] })),
      ]);
    },
  });
}

/** Notes each deletion, so that its files are not shown, and takes the note back where nothing was deleted. */
interface DeletionNotes {
  /** Called before the request. Returns whether an earlier request for the same job may have been carried out already. */
  begin(requestId: string): boolean;
  /** The files are deleted. */
  confirm(requestId: string): void;
  /** Nothing was deleted. */
  withdraw(requestId: string): void;
  /** It is not known whether anything was deleted. */
  leaveOpen(requestId: string): void;
}

const NO_NOTES: DeletionNotes = {
  begin: () => false,
  confirm: () => undefined,
  withdraw: () => undefined,
  leaveOpen: () => undefined,
};

/** Notes deletions of these jobs in the record of an account; `isStored` says which inputs are deleted with them. */
export function deletionNotes(
  accountId: string,
  jobs: readonly BulkJob[],
  isStored: (address: string) => boolean,
): DeletionNotes {
  return {
    begin(requestId) {
      const isNoted = getDeletedMedia(accountId).jobs.has(requestId);
      const job = jobs.find((known) => known.requestId === requestId);
      noteDeletion(accountId, {
        requestId,
        files: job?.media.flatMap(({ url, posterUrl }) => (posterUrl === undefined ? url : [url, posterUrl])) ?? [],
        inputs: addressesIn(job?.payload).filter(isStored),
      });
      return isNoted;
    },
    confirm: (requestId) => confirmDeletion(accountId, requestId),
    withdraw: (requestId) => withdrawDeletion(accountId, requestId),
    leaveOpen: (requestId) => leaveDeletionOpen(accountId, requestId),
  };
}

/** Deletes the media of each job. Never rejects: what failed is in the result with its `ApiError`. */
export async function deleteJobMedia(
  api: Pick<Api, "deleteMedia">,
  requestIds: readonly string[],
  notes: DeletionNotes = NO_NOTES,
): Promise<DeleteMediaResult> {
  const result: DeleteMediaResult = { deleted: [], failed: [] };
  const waiting = [...new Set(requestIds)];
  async function work() {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await deleteOne(api, id, notes);
        result.deleted.push(id);
      } catch (error) {
        result.failed.push({ requestId: id, error });
      }
    }
  }
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  return result;
}

async function deleteOne(api: Pick<Api, "deleteMedia">, requestId: string, notes: DeletionNotes): Promise<void> {
  let isDoubtful = notes.begin(requestId);
  for (let failures = 0; ; failures++) {
    try {
      await api.deleteMedia(requestId);
      return notes.confirm(requestId);
    } catch (error) {
      if (isGone(error)) return notes.confirm(requestId);
      isDoubtful ||= !isRefused(error);
      if (!mayRetryRead(failures, error)) {
        if (isDoubtful) notes.leaveOpen(requestId);
        else notes.withdraw(requestId);
        throw error;
      }
      await abortableDelay(retryDelayMs(failures, error));
    }
  }
}

/** Words of a server that does not know the URL at all, which says nothing about the files. */
const NO_ADDRESS =
  /^\s*<|\bcannot delete\b|\b(?:no|unknown|invalid)\b.{0,20}\b(?:route|path|endpoint|url)\b|\b(?:route|path|endpoint|url)\b.{0,20}\bnot found\b|\bnothing at this path\b/i;

/** Whether the service says that there is nothing to delete any more: the delete is idempotent (spec 4.1), so it is done. */
function isGone(error: unknown): boolean {
  if (!(error instanceof RefusedError) || error.hostReason !== undefined) return false;
  const words = typeof error.body === "string" ? error.body : error.message;
  return error.status === 410 || (error.status === 404 && !NO_ADDRESS.test(words));
}

/** Whether a failure proves that nothing was deleted: the service's own refusal, or no request at all. */
function isRefused(error: unknown): boolean {
  if (error instanceof UnusableIdError) return true;
  if (!(error instanceof RefusedError) || error.status === 408) return false;
  return error.status < 500 || (error.hasEnvelope && [502, 503].includes(error.status));
}

/**
 * Resolves to a test whether the service stores the file at a URL as an input. A deletion takes such a file along, and never
 * touches one that is hosted elsewhere (spec 4.1 rule 3). The record of a job does not distinguish them. So what counts is what
 * this browser uploaded, and files in the same place as its uploads, but not results of jobs. `made`: the keys of results;
 * undefined: they are not known, and only the uploads themselves count. Never rejects.
 */
export async function storedInputTest(
  accountId: string,
  made: ReadonlySet<string> | undefined,
): Promise<(address: string) => boolean> {
  const uploads = await allUploads(accountId).catch(() => []);
  const storedKeys = new Set(uploads.flatMap(({ publicUrl }) => fileKey(publicUrl) ?? []));
  for (const { inputs } of getDeletedMedia(accountId).jobs.values()) for (const key of inputs) storedKeys.add(key);
  const storedPlaces = new Set([...storedKeys].map(filePlace));
  return (address) => {
    const key = fileKey(address);
    if (key === undefined) return false;
    return storedKeys.has(key) || (made !== undefined && !made.has(key) && storedPlaces.has(filePlace(key)));
  };
}

/** How many other jobs use the same inputs as the jobs of a deletion. */
export interface SameInputs {
  /** How many other jobs were given one of the inputs. */
  others: number;
  /** The count is complete: every job of the account was looked through, and the inputs of each are known. */
  isWhole: boolean;
  /** Keys of the inputs that a job made: they are no uploads. Undefined where the index was not looked through. */
  made: ReadonlySet<string> | undefined;
}

const NO_INPUTS: SameInputs = { others: 0, isWhole: true, made: new Set() };

/** Counts jobs that use one of the inputs of `jobs`. A job may be noted twice. */
function createCount(jobs: readonly Pick<JobRecord, "requestId" | "payload">[]) {
  const deletedIds = new Set(jobs.map(({ requestId }) => requestId));
  const inputs = new Set(jobs.flatMap(({ payload }) => inputKeys(payload)));
  // Reading a URL takes microseconds, and there may be half a million. Most end with another file name than any input.
  const fileNames = [...inputs].map(getFileName);
  const usedInputs = (addresses: readonly string[]) =>
    addresses
      .filter((address) => fileNames.some((fileName) => address.includes(fileName)))
      .flatMap((address) => fileKey(address) ?? [])
      .filter((key) => inputs.has(key));
  const others = new Set<string>();
  const made = new Set<string>();
  const known = new Set<string>();
  const unknown = new Set<string>();
  return {
    hasInputs: inputs.size > 0,
    note({ requestId, payload, media }: Pick<JobRecord, "requestId" | "payload" | "media">) {
      for (const key of usedInputs(media.map(({ url }) => url))) made.add(key);
      if (deletedIds.has(requestId)) return;
      if (hasPayload({ payload })) known.add(requestId);
      else unknown.add(requestId);
      if (usedInputs(addressesIn(payload)).length > 0) others.add(requestId);
    },
    others: () => others.size,
    made,
    isEachKnown: () => [...unknown].every((requestId) => known.has(requestId)),
  };
}

/** The file name in a key, which every URL of the file contains. Empty where it may be written in several ways. */
function getFileName(key: string): string {
  const name = key.split("?")[0]?.split("/").at(-1) ?? "";
  return /^[\w.-]*$/.test(name) ? name : "";
}

/**
 * How many other jobs were given one of the inputs of `jobs`: looks through what this browser follows and through the
 * whole index of the history. Never rejects: what cannot be read makes the count incomplete.
 */
export async function findSameInputs(
  accountId: string,
  jobs: readonly Pick<JobRecord, "requestId" | "payload">[],
): Promise<SameInputs> {
  const tracked = await openRows()
    .then((rows) => readAll(rows, trackedRows, accountId))
    .catch(() => []);
  const count = createCount(jobs.map((job) => withPayload(job, tracked)));
  if (!count.hasInputs) return NO_INPUTS;
  for (const job of tracked) count.note(job);
  try {
    // Not `fromIndexQuery`: a deletion needs the jobs of this moment and the place where reading ended, and caches neither.
    const place = await readIndex(accountId, (indexed) => {
      for (const job of indexed) count.note(job);
    });
    const isIndexed = isWhole(readPlace(place) ?? START);
    return { others: count.others(), isWhole: isIndexed && count.isEachKnown(), made: count.made };
  } catch {
    return { others: count.others(), isWhole: false, made: undefined };
  }
}

/** A job with its payload as far as it is known: the service may not report it, and this browser may have sent it. */
function withPayload<T extends Pick<JobRecord, "requestId" | "payload">>(job: T, tracked: readonly TrackedJob[]): T {
  const payload = job.payload ?? tracked.find(({ requestId }) => requestId === job.requestId)?.payload;
  return job.payload ? job : { ...job, payload };
}

/** How long a deletion waits for the count. A database that another tab blocks must not prevent it. */
const PATIENCE_MS = 3000;
const NOT_COUNTED: SameInputs = { others: 0, isWhole: false, made: undefined };

/**
 * What else uses the inputs of these jobs; undefined while it is being looked for. Looks while `isWanted`. Not a query: after
 * three seconds it gives `NOT_COUNTED`, and what is found later replaces that.
 */
export function useSameInputs(
  jobs: readonly Pick<JobRecord, "requestId" | "payload">[],
  isWanted: boolean,
): SameInputs | undefined {
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
