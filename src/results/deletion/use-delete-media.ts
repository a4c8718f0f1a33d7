import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RefusedError, UnusableIdError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/final-status.ts";
import { retryDelayMs, retryRead } from "#api/retry-policy.ts";
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
import { addressesIn } from "#runs/job-inputs.ts";
import { jobKey } from "#runs/poll/job-queries.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { withPayload } from "./same-inputs.ts";

const AT_ONCE = 3;

interface DeleteMediaResult {
  deleted: string[];
  failed: { requestId: string; error: unknown }[];
}

interface Deletion {
  jobs: readonly BulkJob[];
  /** Keys of inputs that are results of jobs; undefined where that is not known (`SameInputs`). */
  made: ReadonlySet<string> | undefined;
}

/** Whether a job is over and has files that are not known to be gone. */
export function canDelete({ requestId, media, status }: JobRecord, deleted: DeletedMedia["jobs"]): boolean {
  return media.length > 0 && !deleted.get(requestId)?.isConfirmed && isFinal(status);
}

/**
 * Deletes the media of finished jobs, one or many. The service's delete is idempotent (spec 4.1), so it may be sent
 * again after 429, 502, 503 and no answer, and a partial failure can simply be repeated. A 404 or 410 for the job's media
 * means that they are gone already. Records and charges stay. The
 * mutation never fails: a job whose media could not be deleted is in its result.
 */
export function useDeleteMedia() {
  const api = useApi();
  const client = useQueryClient();
  const accountId = useConnection()?.accountId ?? "";
  const tracked = useTrackedJobs();
  return useMutation({
    mutationFn: async ({ jobs, made }: Deletion) => {
      const known = jobs.map((job) =>
        withPayload(
          { ...job, payload: job.payload ?? client.getQueryData<Job>(jobKey(job.requestId))?.payload },
          tracked,
        ),
      );
      const isStored = await storedInputTest(accountId, made);
      const notes = deletionNotes(accountId, known, isStored);
      const ids = jobs.map(({ requestId }) => requestId);
      const result = await deleteJobMedia(api, ids, notes);
      const payloads = known
        .filter(({ requestId }) => result.deleted.includes(requestId))
        .map(({ payload }) => payload);
      // Inputs stored with the service went too: the same bytes must be sent again. Where a job's inputs are not known
      // here, any may be gone.
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

/** What is noted of a deletion while it is under way. */
interface DeletionNotes {
  /** Before the request leaves. Returns whether an earlier request of the same may already have been carried out. */
  begin(requestId: string): boolean;
  confirm(requestId: string): void;
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
  await Promise.all(Array.from({ length: AT_ONCE }, work));
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
      if (!retryRead(failures, error)) {
        if (isDoubtful) notes.leaveOpen(requestId);
        else notes.withdraw(requestId);
        throw error;
      }
      await abortableDelay(retryDelayMs(failures, error));
    }
  }
}

/** Words of a server that does not know the address at all, which says nothing about the files. */
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
 * Whether the service stores the file at an address as an input: a deletion takes such a file along, and never touches
 * one that is hosted elsewhere (spec 4.1 rule 3). The record of a job does not distinguish them, so what counts is what
 * this browser uploaded, and whatever lies in the same place as its uploads, results of jobs aside (`made`; undefined:
 * they are not known, and only the uploads themselves count). Never rejects.
 */
export async function storedInputTest(
  accountId: string,
  made: ReadonlySet<string> | undefined,
): Promise<(address: string) => boolean> {
  const uploads = await allUploads(accountId).catch(() => []);
  const own = new Set(uploads.flatMap(({ publicUrl }) => fileKey(publicUrl) ?? []));
  for (const { inputs } of getDeletedMedia(accountId).jobs.values()) for (const key of inputs) own.add(key);
  const places = new Set([...own].map(filePlace));
  return (address) => {
    const key = fileKey(address);
    if (key === undefined) return false;
    return own.has(key) || (made !== undefined && !made.has(key) && places.has(filePlace(key)));
  };
}
