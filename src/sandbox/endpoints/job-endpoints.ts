import type { Exchange, Route } from "../authenticate.ts";
import { readAskedError, textsWithin } from "../documented-inputs.ts";
import { raiseAsked } from "../faults.ts";
import type { JobFilter } from "../jobs/history-pages.ts";
import { jobRecord, jobStatus, type SandboxJob } from "../jobs/sandbox-job.ts";
import type { EndpointGroup, SandboxContext } from "../sandbox-context.ts";
import { badRequest, SandboxError } from "../sandbox-error.ts";
import { QUEUE_PATH } from "./model-endpoints.ts";

/** Spec 4.1: one job, the list of the user's jobs, and the deletion of a job's media. */
export function jobEndpoints(context: SandboxContext): EndpointGroup {
  const one: Route = {
    name: "job",
    family: "queue",
    method: "GET",
    path: `${QUEUE_PATH}/requests/:request_id`,
    handle(exchange) {
      const job = ownJob(context, exchange);
      const asked = readAskedError("poll-error", textsWithin(job.payload));
      if (asked !== undefined) raiseAsked(asked, `poll ${job.requestId}`, job.model.id, context.faultCounter);
      return Response.json(jobRecord(job, context.clock.now(), exchange.base));
    },
  };
  const list: Route = {
    name: "list",
    family: "queue",
    method: "GET",
    path: `${QUEUE_PATH}/requests`,
    handle({ url, caller, base }) {
      const { filter, limit, offset } = readListQuery(url.searchParams);
      const nowMs = context.clock.now();
      const { jobs, total } = context.jobs.page(caller.user, filter, nowMs, limit, offset);
      return Response.json({ requests: jobs.map((job) => jobRecord(job, nowMs, base)), total });
    },
  };
  const deleteMedia: Route = {
    name: "delete-media",
    family: "queue",
    method: "DELETE",
    path: `${QUEUE_PATH}/requests/:request_id/media`,
    handle(exchange) {
      const job = ownJob(context, exchange);
      const nowMs = context.clock.now();
      // Spec 3: the media of a finished job. The specification does not show what a running one answers.
      if (jobStatus(job, nowMs) === "queued")
        throw new SandboxError(409, "The job has not finished. Its files cannot be deleted yet.");
      job.mediaDeletedAtMs ??= nowMs;
      for (const id of job.inputIds) deleteInput(context, id);
      return Response.json({ request_id: job.requestId, media_deleted: true });
    },
  };
  return { routes: [one, list, deleteMedia] };
}

/** A job of the caller's own. Another user's job is unknown to this one, as it is in the list (spec 4.1 rule 1). */
function ownJob(context: SandboxContext, { params, caller }: Exchange): SandboxJob {
  const job = context.jobs.find(params.request_id ?? "");
  if (job === undefined || job.user !== caller.user)
    throw new SandboxError(404, `Request ${params.request_id} does not exist`);
  return job;
}

/** Spec 4.1: inputs uploaded to the service's storage go too; those hosted elsewhere are never touched. */
function deleteInput(context: SandboxContext, id: string): void {
  const input = context.uploads.find(id);
  if (input !== undefined) context.uploads.remove(input);
}

const DEFAULT_LIMIT = 20;
const MAXIMUM_LIMIT = 1000;

interface ListQuery {
  filter: JobFilter;
  limit: number;
  /** The offset in records: "page offset" in the specification leaves the unit open. */
  offset: number;
}

/** Reads the query parameters of spec 4.1. Throws 400 that names the wrong one; unknown parameters are ignored. */
function readListQuery(query: URLSearchParams): ListQuery {
  const modelId = query.get("model_id");
  const modelTypes = readWords(query, "model_type");
  const statuses = readWords(query, "status");
  const createdAfter = readWhole(query, "created_after", 0);
  const createdBefore = readWhole(query, "created_before", 0);
  const limit = readWhole(query, "limit", 1) ?? DEFAULT_LIMIT;
  if (limit > MAXIMUM_LIMIT) throw badRequest(`limit must be at most ${MAXIMUM_LIMIT}`);
  return {
    filter: {
      ...(modelId === null || modelId === "" ? {} : { modelId }),
      ...(modelTypes === undefined ? {} : { modelTypes }),
      ...(statuses === undefined ? {} : { statuses }),
      ...(createdAfter === undefined ? {} : { createdAfter }),
      ...(createdBefore === undefined ? {} : { createdBefore }),
    },
    limit,
    offset: readWhole(query, "offset", 0) ?? 0,
  };
}

/** A comma-separated list; an empty one filters nothing. */
function readWords(query: URLSearchParams, name: string): string[] | undefined {
  const words = (query.get(name) ?? "").split(",").map((word) => word.trim());
  const given = words.filter((word) => word !== "");
  return given.length === 0 ? undefined : given;
}

function readWhole(query: URLSearchParams, name: string, min: number): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw badRequest(`${name} must be an integer`);
  if (value < min) throw badRequest(`${name} must be at least ${min}`);
  return value;
}
