import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import type { Api } from "#api/create-api.ts";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { perConnection } from "#connection/per-connection.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { MicroUsd } from "#lib/money.ts";
import { lacksDetails } from "#runs/job-facts.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import { getPollControl } from "#runs/poll/poll-control.ts";
import { useAreTrackedJobsRead } from "#runs/poll/use-jobs.ts";
import { askPastPrices } from "#runs/prices/past-prices.ts";
import { hasPayload, type JobRecord, mergeRecords } from "#storage/job-records.ts";
import type { JobIndex } from "./job-index/job-index.ts";

// Completes the jobs in view, in two ways, and notes the results in the index, from which the list takes them. A service's list
// may name no more than a job's id and status, so the job's own record is read. A job from elsewhere has no price, so it is
// estimated.

const MAX_PARALLEL = 2;
/** After this many records in a row that lacked the same fields, too, no more records are read for these fields. */
const MAX_UNHELPFUL = 4;
/** Records that come within this time are shown together, so that the list does not render for each. */
const SHOW_AFTER_MS = 200;

/** Names the fields that a job lacks; an empty text where it lacks none. */
function getMissingFields({ payload, status, media, failureReason }: JobRecord): string {
  const lacks = [
    payload === undefined && "payload",
    status === "success" && media.length === 0 && "media",
    status === "failed" && failureReason === undefined && "reason",
  ];
  return lacks.filter(Boolean).join(" ");
}

/** A job is read once per status, because a new status may bring the missing fields. */
const getAskKey = ({ requestId, status }: JobRecord) => `${requestId} ${status}`;

interface DetailLoaderOptions {
  /** Reads the job's own record, and waits for the budget of requests by itself. */
  ask: (requestId: string) => Promise<Job>;
  isPaused: () => boolean;
  /** Called with records that contain more than the list did. */
  onRead: (jobs: readonly Job[]) => void;
  /** Calls `run` after `SHOW_AFTER_MS`. */
  later: (run: () => void) => void;
}

/**
 * Reads the missing details of the jobs in view: each once, two at a time, and not for fields that no record contains. Call the
 * result again with the jobs in view now: those of an earlier call that still wait are dropped.
 */
export function createDetailLoader({
  ask,
  isPaused,
  onRead,
  later,
}: DetailLoaderOptions): (inView: readonly JobRecord[]) => void {
  let waiting: JobRecord[] = [];
  let running = 0;
  let isShowing = false;
  let readJobs: Job[] = [];
  const asked = new Set<string>();
  const unhelpful = new Map<string, number>();

  function show() {
    if (isShowing) return;
    isShowing = true;
    later(() => {
      isShowing = false;
      onRead(readJobs);
      readJobs = [];
    });
  }
  async function fill(entry: JobRecord) {
    const missing = getMissingFields(entry);
    try {
      const found = await ask(entry.requestId);
      const isHelpful = getMissingFields(mergeRecords(entry, found)) !== missing || found.status !== entry.status;
      unhelpful.set(missing, isHelpful ? 0 : (unhelpful.get(missing) ?? 0) + 1);
      if (!isHelpful) return;
      readJobs.push(found);
      show();
    } catch {
      // The list shows what it has, and the job is read again when it comes into view the next time.
      asked.delete(getAskKey(entry));
      unhelpful.set(missing, (unhelpful.get(missing) ?? 0) + 1);
    }
  }
  function next() {
    while (running < MAX_PARALLEL && !isPaused()) {
      const entry = waiting.shift();
      if (entry === undefined) return;
      if (asked.has(getAskKey(entry)) || (unhelpful.get(getMissingFields(entry)) ?? 0) >= MAX_UNHELPFUL) continue;
      asked.add(getAskKey(entry));
      running += 1;
      void fill(entry).finally(() => {
        running -= 1;
        next();
      });
    }
  }
  return (inView) => {
    waiting = inView.filter((job) => lacksDetails(job) && !asked.has(getAskKey(job)));
    next();
  };
}

const getDetailLoader = perConnection((api: Api, client: QueryClient, index: JobIndex) =>
  createDetailLoader({
    ask: (requestId) => client.fetchQuery(jobQueries(api).detail(requestId)),
    isPaused: () => getPollControl(api).isPaused(),
    onRead: index.noteRead,
    later: (run) => void setTimeout(run, SHOW_AFTER_MS),
  }),
);

/** Reads into the index what the jobs in view lack. */
export function useDetailLoader(index: JobIndex): (inView: readonly JobRecord[]) => void {
  return getDetailLoader(useApi(), useQueryClient(), index);
}

/** Prices are asked for once the same jobs were in view for this long. */
const REST_MS = 1_500;
/** So many prices are shown together, so that the list does not render for each. */
const SHOWN_TOGETHER = 3;

/** Asks what the jobs in view would cost today, where their prices are unknown, and notes the responses in the index. */
export function useEstimates(index: JobIndex): (inView: readonly JobRecord[]) => void {
  const api = useApi();
  const client = useQueryClient();
  // Until this browser's own jobs are read, one of them looks like a job from elsewhere.
  const isRead = useAreTrackedJobsRead();
  const asked = useRef({ ids: new Set<string>(), abort: new AbortController() });
  useEffect(() => () => asked.current.abort.abort(), []);

  return useCallback(
    (entries) => {
      const jobs = isRead ? entries.flatMap(unpricedJob) : [];
      const isUnderWay = !asked.current.abort.signal.aborted;
      if (isUnderWay && jobs.every(({ requestId }) => asked.current.ids.has(requestId))) return;
      asked.current.abort.abort();
      const abort = new AbortController();
      asked.current = { ids: new Set(jobs.map(({ requestId }) => requestId)), abort };

      const inView = new Map(entries.map((entry) => [entry.requestId, entry]));
      let fresh: [JobRecord, MicroUsd][] = [];
      const show = () => {
        if (fresh.length > 0) index.noteEstimates(fresh);
        fresh = [];
      };
      const onPrice = (requestId: string, priceMicroUsd: MicroUsd) => {
        const entry = inView.get(requestId);
        if (entry) fresh.push([entry, priceMicroUsd]);
        if (fresh.length >= SHOWN_TOGETHER) show();
      };
      abortableDelay(REST_MS, abort.signal)
        .then(() => askPastPrices({ api, client }, jobs, onPrice, abort.signal))
        // After an abort, prices that came are not shown. They are in the query cache and found there the next time.
        .then(show, () => undefined);
    },
    [api, client, isRead, index],
  );
}

// A failed job was refunded in full (spec 3), so it has no price. Without a payload there is nothing to estimate; an empty one
// was not reported.
function unpricedJob({ requestId, model, payload, status, ...entry }: JobRecord) {
  const isKnown = entry.priceMicroUsd !== undefined || entry.estimatedMicroUsd !== undefined;
  const isComplete = model !== undefined && payload !== undefined && hasPayload({ payload });
  return !isKnown && status !== "failed" && isComplete ? [{ requestId, model, payload }] : [];
}
