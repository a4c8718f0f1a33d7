import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Job, JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { JobFactList } from "#results/job-fact-list.tsx";
import { PayloadTable } from "#results/settings/payload-table.tsx";
import { SHARED_BALANCE } from "#runs/ledger/spend-limits.ts";
import { estimateQueries } from "#runs/prices/estimate-queries.ts";
import type { JobRecord } from "#storage/job-records.ts";

interface JobDetailsProps {
  job: JobRecord;
}

/** The facts of a job: model, price, times, parameters, and its record as the service sent it. */
export function JobDetails({ job }: JobDetailsProps) {
  const payload = job.payload;
  return (
    <aside
      aria-label="Details"
      className="grid min-w-0 shrink-0 content-start gap-5 border-line border-t bg-panel px-5 py-4 text-[12.5px] max-sm:px-3 lg:w-[320px] lg:not-short:overflow-y-auto lg:border-t-0 lg:border-l 2xl:w-[400px]"
    >
      <JobFactList isJobPage job={job} priceIfUnknown={<PriceToday job={job} />} priceNote={SHARED_BALANCE} />
      {payload && <PayloadTable payload={payload} />}
      <RecordFromService raw={job.raw} />
    </aside>
  );
}

/** The whole answer. Open where the address asks for it: "See the whole answer" leads here. */
function RecordFromService({ raw }: { raw: Job["raw"] }) {
  const isAsked = useLocation({ select: ({ hash }) => hash === RECORD });
  const record = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isAsked || !record.current) return;
    record.current.open = true;
    record.current.scrollIntoView?.({ block: "start" });
  }, [isAsked]);
  return (
    <details ref={record} id={RECORD}>
      <summary className="cursor-pointer font-medium">Raw response</summary>
      <pre className="wrap-anywhere mt-2 whitespace-pre-wrap rounded-sm bg-well p-3 font-mono text-[11.5px]">
        {recordText(raw)}
      </pre>
    </details>
  );
}

const RECORD = "record";
const LONGEST_TEXT = 400;

/** The record as JSON with long texts, such as whole files inline, cut. */
function recordText(raw: unknown): string {
  const cut = (_key: string, value: unknown) =>
    typeof value === "string" && value.length > LONGEST_TEXT
      ? `${value.slice(0, LONGEST_TEXT)}… (${value.length.toLocaleString("en-US")} characters)`
      : value;
  return JSON.stringify(raw, cut, 2);
}

/**
 * What a job costs whose charge is not known. The service reports no price of a job (spec 2): the same payload is estimated
 * anew, which costs nothing and equals the charge unless prices changed.
 */
function PriceToday({ job }: JobDetailsProps) {
  const request = asRequest(job);
  const estimate = useQuery({
    ...estimateQueries(useApi()).price(request ?? { model: "", payload: {} }),
    enabled: request !== undefined,
  });
  if (request && estimate.data) return `${formatMicroUsd(estimate.data.priceMicroUsd)} at today's price`;
  return request && estimate.isPending ? "…" : "Price unknown";
}

// The service echoes what was left out as null; a submit leaves it out (spec 2: defaults apply).
function asRequest(job: Job): JobRequest | undefined {
  if (!job.model || !job.payload) return undefined;
  const given = Object.entries(job.payload).filter(([, value]) => value !== null);
  return { model: job.model, payload: Object.fromEntries(given) };
}
