import { isMicroUsd } from "#lib/money.ts";
import { asRecord, asText } from "#lib/read.ts";
import { UnreadableAnswerError } from "./api-error.ts";
import { readJobPage } from "./job-list.ts";
import { readJob, readSubmitted } from "./jobs.ts";
import { locateMedia } from "./media.ts";
import { readModelDetail, readModelIds, readTextModels } from "./models.ts";
import { modelIdSegment, requestIdSegment } from "./path-id.ts";
import { readHostReason } from "./read-error.ts";
import { createServiceClock, type ServiceClock } from "./service-clock.ts";
import { absoluteUrl, createTransport, type LoggedRequest } from "./transport.ts";
import type {
  Estimate,
  FileType,
  Job,
  JobListParams,
  JobPage,
  JobRequest,
  ModelDetail,
  TextModel,
  UploadTarget,
} from "./types.ts";
import { readUploadTarget } from "./uploads.ts";

const MEGABYTE = 1024 * 1024;
/** How long every request may take that costs nothing. */
const READ_MS = 20_000;
/** Fast models answer inside the submit call, which may then take minutes (spec 8). */
const SUBMIT_MS = 180_000;

/** Names an attempt to the studio's own host, which forwards each name once. Never sent to a service directly. */
export interface AttemptName {
  id: string;
  /** The host's memory that the page counts on, where it knows it: another memory refuses before anything is sent. */
  memory: string | undefined;
}

function attemptHeaders({ id, memory }: AttemptName): Record<string, string> {
  return { "x-safelight-intent": id, ...(memory === undefined ? {} : { "x-safelight-memory": memory }) };
}

/** The largest answer about jobs: their outcomes may have files inline. */
const JOB_BYTES = 64 * MEGABYTE;

/** How a POST travels. */
export interface SendOptions {
  /** Sends the body as a stream, which no browser sends twice: for services that took one in the free estimate call. */
  streamBody?: boolean;
  attempt?: AttemptName;
}

/** The endpoints of spec 4 as functions. Each makes exactly one request and throws an `ApiError`, or the abort reason. */
export interface Api {
  /** The service's time, learned from every answer of the queue. */
  clock: ServiceClock;
  /** Generation model ids, each once. */
  listModelIds(signal?: AbortSignal): Promise<string[]>;
  getModel(id: string, signal?: AbortSignal): Promise<ModelDetail>;
  /** The price of a payload. Nothing is charged. */
  estimate(request: JobRequest, signal?: AbortSignal, options?: Pick<SendOptions, "streamBody">): Promise<Estimate>;
  /**
   * Starts a job and charges its price: exactly one POST, never retried here. Rejects with an `UnreadableAnswerError`, too,
   * where the answer does not prove a job (`readSubmitted`).
   */
  submit(request: JobRequest, signal?: AbortSignal, options?: SendOptions): Promise<Job>;
  /**
   * What became of an attempt, by the memory of the studio's own host: the job of its first answer. Rejects as `submit`
   * did, with `hostReason` `never_sent` where it did not leave and now never will, or `outcome_unknown`.
   */
  withdrawSubmit(request: JobRequest, attempt: AttemptName): Promise<Job>;
  getJob(requestId: string, signal?: AbortSignal): Promise<Job>;
  listJobs(params: JobListParams, signal?: AbortSignal): Promise<JobPage>;
  requestUpload(fileType: FileType, signal?: AbortSignal): Promise<UploadTarget>;
  /** Deletes generated media and uploaded inputs of a finished job, for good. Idempotent. */
  deleteMedia(requestId: string, signal?: AbortSignal): Promise<void>;
  /** The text catalogue (spec 4.2), separate from the generation models. */
  listTextModels(signal?: AbortSignal): Promise<TextModel[]>;
}

/**
 * Makes the typed client for one pair of addresses. `fetch` belongs to whoever has the key: requests to it have `[key]`
 * where the key goes. Addresses may be relative to the page. Throws `TypeError` where one of them is no address; makes
 * no request.
 */
export function createApi({
  queueBaseUrl,
  inferenceBaseUrl,
  fetch,
  onCall,
}: {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  fetch: typeof globalThis.fetch;
  /** Called with every request once it is over. */
  onCall?: (call: LoggedRequest) => void;
}): Api {
  const clock = createServiceClock();
  const queue = createTransport({ baseUrl: queueBaseUrl, fetch, clock, onCall });
  const inference = createTransport({ baseUrl: inferenceBaseUrl, fetch, onCall });
  const read = { method: "GET", timeoutMs: READ_MS } as const;
  const located = (job: Job) => locateMedia(job, absoluteUrl(queueBaseUrl));

  return {
    clock,
    async listModelIds(signal) {
      return readModelIds(await queue({ ...read, path: "/apikey/models", signal }));
    },
    async getModel(id, signal) {
      return readModelDetail(await queue({ ...read, path: `/apikey/models/${modelIdSegment(id)}`, signal }), id);
    },
    async estimate({ model, payload }, signal, { streamBody = false } = {}) {
      const body = { model, payload };
      const path = "/apikey/requests/estimate";
      return readEstimate(await queue({ method: "POST", path, body, streamBody, timeoutMs: READ_MS, signal }), model);
    },
    async submit({ model, payload }, signal, { streamBody = false, attempt } = {}) {
      const body = { model, payload };
      const call = {
        method: "POST",
        path: "/apikey/requests",
        body,
        timeoutMs: SUBMIT_MS,
        maxBytes: JOB_BYTES,
        streamBody,
        ...(attempt === undefined ? {} : { headers: attemptHeaders(attempt) }),
      } as const;
      const sentAtMs = performance.now();
      const job = located(readSubmitted(await queue({ ...call, signal })));
      clock.noteJobs([job], performance.now() - sentAtMs);
      return { ...job, model: job.model ?? model };
    },
    async withdrawSubmit({ model }, attempt) {
      const call = { method: "DELETE", path: "/apikey/requests", timeoutMs: READ_MS, maxBytes: JOB_BYTES } as const;
      let hostReason: string | undefined;
      const onHeaders = (headers: Headers) => {
        hostReason = readHostReason(headers);
      };
      try {
        const job = located(readSubmitted(await queue({ ...call, headers: attemptHeaders(attempt), onHeaders })));
        return { ...job, model: job.model ?? model };
      } catch (error) {
        if (error instanceof UnreadableAnswerError) error.hostReason = hostReason;
        throw error;
      }
    },
    async getJob(requestId, signal) {
      const path = `/apikey/requests/${requestIdSegment(requestId)}`;
      const job = located(readJob(await queue({ ...read, path, maxBytes: JOB_BYTES, signal }), requestId));
      clock.noteJobs([job]);
      return job;
    },
    async listJobs(params, signal) {
      const query = jobListQuery(params);
      const page = readJobPage(await queue({ ...read, path: "/apikey/requests", query, maxBytes: JOB_BYTES, signal }));
      clock.noteJobs(page.jobs);
      return { ...page, jobs: page.jobs.map(located) };
    },
    async requestUpload(fileType, signal) {
      const body = { file_type: fileType };
      const raw = await queue({ method: "POST", path: "/apikey/upload-url", body, timeoutMs: READ_MS, signal });
      return readUploadTarget(raw, absoluteUrl(queueBaseUrl));
    },
    async deleteMedia(requestId, signal) {
      const path = `/apikey/requests/${requestIdSegment(requestId)}/media`;
      // Spec 4.1 rule 6: the body is not shown, so a good status is all there is to read.
      await queue({ method: "DELETE", path, timeoutMs: READ_MS, signal, ignoreBody: true });
    },
    async listTextModels(signal) {
      return readTextModels(await inference({ ...read, path: "/v1/models", signal }));
    },
  };
}

/** Query parameters of the job list (spec 4.1): lists comma-separated, empty filters left out. */
function jobListQuery({ next, ...params }: JobListParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...params, ...next })) {
    const text = Array.isArray(value) ? value.join(",") : value;
    if (text !== undefined && text !== "") query.set(name, String(text));
  }
  return query;
}

/**
 * Reads an estimate (spec 2). The estimate is the charge, so nothing is guessed: a price that is not a whole, safe,
 * non-negative number, or a currency other than `micro_usd`, throws `UnreadableAnswerError` and the price stays
 * unknown.
 */
export function readEstimate(raw: unknown, model: string): Estimate {
  const record = asRecord(raw);
  const price = record.price;
  if (record.currency !== "micro_usd" || !isMicroUsd(price)) {
    const excerpt = JSON.stringify(raw) ?? "";
    throw new UnreadableAnswerError({ status: 200, excerpt, reason: "The response contains no readable price." });
  }
  return { model: asText(record.model) ?? model, priceMicroUsd: price };
}
