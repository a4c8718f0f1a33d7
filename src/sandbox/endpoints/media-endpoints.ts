import { mediaFileName } from "#sandbox/job-record.ts";
import { mediaSpec } from "#sandbox/media-maker.ts";
import { createMediaShelf } from "#sandbox/media-shelf.ts";
import type { EndpointGroup, SandboxContext } from "#sandbox/sandbox-context.ts";
import { jobStatus, type SandboxJob } from "#sandbox/sandbox-job.ts";
import { fileResponse, storageError } from "./file-response.ts";

/** Spec 8: generated media is kept for 60 days. */
export const RETENTION_MS = 60 * 86_400_000;
/** Spec 8: the CDN may keep a file for up to about 5 minutes after its deletion. */
export const CDN_MS = 5 * 60_000;

/** Media delivery from the service's storage. Files are made when they are first asked for. */
export function mediaEndpoints(context: SandboxContext): EndpointGroup {
  const shelf = createMediaShelf();
  return {
    routes: [
      {
        name: "media",
        family: "storage",
        method: "GET",
        path: "/storage/media/:request_id/:file",
        async handle({ request, params }) {
          const job = context.jobs.find(params.request_id ?? "");
          const index = job?.files.findIndex((_, place) => mediaFileName(job, place) === params.file) ?? -1;
          if (job === undefined || index < 0 || !isServed(job, index, context.clock.now())) {
            return storageError(404, "NoSuchKey", "The specified key does not exist.");
          }
          job.fetchedFiles.add(index);
          const make = () => context.makeMedia(mediaSpec(job, index));
          const { bytes, contentType } = await shelf.take(`${job.requestId} ${index}`, make);
          return fileResponse(request, bytes, contentType);
        },
      },
    ],
  };
}

function isServed(job: SandboxJob, index: number, nowMs: number): boolean {
  if (jobStatus(job, nowMs) !== "success" || nowMs >= job.finishesAtMs + RETENTION_MS) return false;
  if (job.mediaDeletedAtMs === undefined) return true;
  return job.fetchedFiles.has(index) && nowMs < job.mediaDeletedAtMs + CDN_MS;
}
