import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import { retryDelayMs, retryRead } from "#api/retry-policy.ts";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { abortableDelay } from "#lib/delay.ts";
import { markMediaDeleted } from "#media/retention.ts";
import { forgetUploads } from "#media/upload/upload-memory.ts";
import { addressesIn } from "../job-inputs.ts";
import { jobKey } from "../job-queries.ts";
import { useTrackedJobs } from "../use-tracked-jobs.ts";

const AT_ONCE = 3;

interface DeleteMediaResult {
  deleted: string[];
  failed: { requestId: string; error: unknown }[];
}

/**
 * Deletes the media of finished jobs, one or many. The service's delete is idempotent (spec 4.1), so it may be sent
 * again after 429, 502, 503 and no answer, and a partial failure can simply be repeated. Records and charges stay. The
 * mutation never fails: a job whose media could not be deleted is in its result.
 */
export function useDeleteMedia() {
  const api = useApi();
  const client = useQueryClient();
  const accountId = useConnection()?.accountId ?? "";
  const tracked = useTrackedJobs();
  const payloadOf = (id: string) =>
    client.getQueryData<Job>(jobKey(id))?.payload ?? tracked.find((job) => job.requestId === id)?.payload;
  return useMutation({
    mutationFn: (requestIds: readonly string[]) => deleteMediaOf(api, requestIds),
    onSuccess: async ({ deleted }) => {
      if (deleted.length === 0) return;
      markMediaDeleted(deleted);
      // Inputs stored with the service went too: their addresses must not be used again. Where a job's inputs are not
      // known here, any may be gone.
      const payloads = deleted.map(payloadOf);
      await forgetUploads(accountId, payloads.includes(undefined) ? undefined : addressesIn(payloads));
      await Promise.all([
        client.invalidateQueries({ queryKey: ["jobs", "list"] }),
        ...deleted.map((id) => client.invalidateQueries({ queryKey: ["jobs", "detail", id] })),
      ]);
    },
  });
}

/** Deletes the media of each job. Never rejects: what failed is in the result with its `ApiError`. */
export async function deleteMediaOf(
  api: Pick<Api, "deleteMedia">,
  requestIds: readonly string[],
): Promise<DeleteMediaResult> {
  const result: DeleteMediaResult = { deleted: [], failed: [] };
  const waiting = [...new Set(requestIds)];
  async function work() {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await deleteOne(api, id);
        result.deleted.push(id);
      } catch (error) {
        result.failed.push({ requestId: id, error });
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return result;
}

async function deleteOne(api: Pick<Api, "deleteMedia">, requestId: string): Promise<void> {
  for (let failures = 0; ; failures++) {
    try {
      return await api.deleteMedia(requestId);
    } catch (error) {
      if (!retryRead(failures, error)) throw error;
      await abortableDelay(retryDelayMs(failures, error));
    }
  }
}
