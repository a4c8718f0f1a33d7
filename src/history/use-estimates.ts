import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useApi } from "#connection/client.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { MicroUsd } from "#lib/money.ts";
import { useLedger } from "#runs/ledger/use-ledger.ts";
import { askPastPrices, type PastJob } from "#runs/prices/past-prices.ts";
import { useAreTrackedJobsRead } from "#runs/use-tracked-jobs.ts";
import { hasPayload, type JobRecord } from "#storage/job-records.ts";
import type { JobIndex } from "./job-index/job-index.ts";

interface Estimates {
  estimates: ReadonlyMap<string, MicroUsd>;
  /** Asks for what the jobs in view cost today, where their price is not known. */
  wantEstimates: (entries: readonly JobRecord[]) => void;
}

/** A list rests after this long without another job in view. */
const REST_MS = 1_500;
/** So many prices are shown together, so that the list does not render for each. */
const SHOWN_TOGETHER = 3;

/** Today's prices of jobs from elsewhere, asked for as they come into view and noted in the index. */
export function useEstimates(index: JobIndex): Estimates {
  const [fresh, setFresh] = useState<ReadonlyMap<string, MicroUsd>>(new Map());
  const ledger = useLedger();
  // Those of imported jobs are in the ledger.
  const estimates = useMemo(() => {
    const lines = ledger.filter(({ isEstimated, kind }) => isEstimated && kind === "charged");
    const written = lines.flatMap(({ requestId, amountMicroUsd }) =>
      requestId === undefined || amountMicroUsd === undefined ? [] : [[requestId, amountMicroUsd] as const],
    );
    return written.length > 0 ? new Map([...written, ...fresh]) : fresh;
  }, [fresh, ledger]);
  useEffect(() => {
    const known = [...estimates].flatMap(([requestId, estimatedMicroUsd]) => {
      const entry = index.get(requestId);
      return entry && entry.estimatedMicroUsd === undefined ? [{ ...entry, estimatedMicroUsd }] : [];
    });
    if (known.length > 0) index.note(known);
  }, [index, estimates]);
  return { estimates, wantEstimates: useAsking(setFresh) };
}

/** Asks for the prices of what is in view, once the list rests. */
function useAsking(
  setFresh: (change: (before: ReadonlyMap<string, MicroUsd>) => ReadonlyMap<string, MicroUsd>) => void,
): Estimates["wantEstimates"] {
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

      let unshown: [string, MicroUsd][] = [];
      const show = () => {
        const more = unshown;
        unshown = [];
        if (more.length > 0) setFresh((before) => new Map([...before, ...more]));
      };
      const onPrice = (requestId: string, priceMicroUsd: MicroUsd) => {
        unshown.push([requestId, priceMicroUsd]);
        if (unshown.length >= SHOWN_TOGETHER) show();
      };
      abortableDelay(REST_MS, abort.signal)
        .then(() => askPastPrices({ api, client }, jobs, onPrice, abort.signal))
        // A price that came and is not shown is in the cache, where the next look finds it.
        .then(show, () => undefined);
    },
    [api, client, isRead, setFresh],
  );
}

// A failed job was refunded exactly (spec 3). An empty payload is one that the service does not report.
function unpricedJob({ requestId, model, payload, status, ...entry }: JobRecord): PastJob[] {
  const isKnown = entry.priceMicroUsd !== undefined || entry.estimatedMicroUsd !== undefined;
  const isComplete = model !== undefined && payload !== undefined && hasPayload({ payload });
  return !isKnown && status !== "failed" && isComplete ? [{ requestId, model, payload }] : [];
}
