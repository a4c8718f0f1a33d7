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
import { askPastPrices } from "#runs/prices/past-prices.ts";
import { useAreTrackedJobsRead } from "#runs/use-tracked-jobs.ts";
import { hasPayload, type JobRecord, mergeRecords } from "#storage/job-records.ts";
import type { JobIndex } from "./job-index/job-index.ts";

// What a line of the list lacks is asked for once its job is in view, and noted in the index, from which the list takes it.
// A service's list may give no more of a job than its id and its status: its own record has the rest. What a job from
// elsewhere costs today is an estimate.

const MAX_AT_ONCE = 2;
/** The records in a row without what was missing after which no other is asked for it. */
const MAX_UNHELPFUL = 4;
/** Answers are shown together, so that the list does not render for each. */
const SHOW_AFTER_MS = 200;

/** What a job's line lacks, in words that differ for each lack. */
function lackOf({ payload, status, media, failureReason }: JobRecord): string {
  const lacks = [
    payload === undefined && "payload",
    status === "success" && media.length === 0 && "media",
    status === "failed" && failureReason === undefined && "reason",
  ];
  return lacks.filter(Boolean).join(" ");
}

/** A job is asked for once in each of its states. */
const keyOf = ({ requestId, status }: JobRecord) => `${requestId} ${status}`;

interface DetailLoaderOptions {
  /** The job's own record. It waits for the budget of requests by itself. */
  ask: (requestId: string) => Promise<Job>;
  isPaused: () => boolean;
  /** Some records were read that contain more. */
  onRead: (jobs: readonly Job[]) => void;
  /** Runs something a little later. */
  later: (run: () => void) => void;
}

/**
 * Asks for the missing details of the jobs in view: each once, two at a time, and not for what no record contains. Those of an earlier
 * call that are not among them are asked for no more.
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
  let fresh: Job[] = [];
  const asked = new Set<string>();
  const unhelpful = new Map<string, number>();

  function show() {
    if (isShowing) return;
    isShowing = true;
    later(() => {
      isShowing = false;
      onRead(fresh);
      fresh = [];
    });
  }
  async function fill(entry: JobRecord) {
    const lack = lackOf(entry);
    try {
      const found = await ask(entry.requestId);
      const isHelp = lackOf(mergeRecords(entry, found)) !== lack || found.status !== entry.status;
      unhelpful.set(lack, isHelp ? 0 : (unhelpful.get(lack) ?? 0) + 1);
      if (!isHelp) return;
      fresh.push(found);
      show();
    } catch {
      // Shown as the list has it, and asked for again when it comes into view the next time.
      asked.delete(keyOf(entry));
      unhelpful.set(lack, (unhelpful.get(lack) ?? 0) + 1);
    }
  }
  function next() {
    while (running < MAX_AT_ONCE && !isPaused()) {
      const entry = waiting.shift();
      if (entry === undefined) return;
      if (asked.has(keyOf(entry)) || (unhelpful.get(lackOf(entry)) ?? 0) >= MAX_UNHELPFUL) continue;
      asked.add(keyOf(entry));
      running += 1;
      void fill(entry).finally(() => {
        running -= 1;
        next();
      });
    }
  }
  return (inView) => {
    waiting = inView.filter((job) => lacksDetails(job) && !asked.has(keyOf(job)));
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

/** Asks for what the jobs in view lack. What is read is put into the index, from which the list takes it. */
export function useDetailLoader(index: JobIndex): (inView: readonly JobRecord[]) => void {
  return getDetailLoader(useApi(), useQueryClient(), index);
}

/** A list rests after this long without another job in view. */
const REST_MS = 1_500;
/** The prices that are shown together, so that the list does not render for each. */
const SHOWN_TOGETHER = 3;

/** Asks for today's prices of the jobs in view, where they are not known, once the list rests. */
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
        // A price that came and is not shown is in the cache, where the next look finds it.
        .then(show, () => undefined);
    },
    [api, client, isRead, index],
  );
}

// A failed job was refunded exactly (spec 3). An empty payload is one that the service does not report.
function unpricedJob({ requestId, model, payload, status, ...entry }: JobRecord) {
  const isKnown = entry.priceMicroUsd !== undefined || entry.estimatedMicroUsd !== undefined;
  const isComplete = model !== undefined && payload !== undefined && hasPayload({ payload });
  return !isKnown && status !== "failed" && isComplete ? [{ requestId, model, payload }] : [];
}
