import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { jobCharge } from "#api/charge-words.ts";
import type { JsonRecord } from "#lib/read.ts";
import { formatElapsed } from "#lib/time.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import { JobStatus } from "#runs/job-status.tsx";
import { type JobRecord, tookMs } from "#storage/job-records.ts";
import { Fact } from "#ui/fact.tsx";
import { Time } from "#ui/time.tsx";
import { CopyId } from "./copy-id.tsx";

interface JobFactListProps {
  job: JobRecord;
  /** The list is on the page of the job, which shows the status above it and needs no link to itself. */
  isJobPage?: boolean;
  /** What is said of the price where no charge is known. */
  priceIfUnknown: ReactNode;
  /** Stands below the price. */
  priceNote?: string;
  /** Further facts. */
  children?: ReactNode;
}

/** The facts of a job: status, model, what it was charged, times, id. */
export function JobFactList({ job, isJobPage = false, priceIfUnknown, priceNote, children }: JobFactListProps) {
  const { requestId, status, model, createdAtSeconds } = job;
  const charge = jobCharge(job) ?? priceIfUnknown;
  const took = tookMs(job);
  return (
    <dl className="m-0 grid grid-cols-[--spacing(24)_minmax(0,1fr)] gap-x-3 gap-y-2">
      {!isJobPage && (
        <Fact name="Status">
          <JobStatus status={status} />
        </Fact>
      )}
      <Fact name="Model">
        {model ? (
          <Link to="/create/$modelId" params={{ modelId: model }} preload={false} className="wrap-anywhere underline">
            {visibleLine(model)}
          </Link>
        ) : (
          "—"
        )}
      </Fact>
      {charge && (
        <Fact name="Price">
          {charge}
          {priceNote && <span className="block text-ink-3">{priceNote}</span>}
        </Fact>
      )}
      {createdAtSeconds !== undefined && (
        <Fact name="Created">
          <Time seconds={createdAtSeconds} />
        </Fact>
      )}
      {took !== undefined && <Fact name="Run time">{formatElapsed(took)}</Fact>}
      {children}
      <Fact name="Job ID">
        <span className="flex items-start gap-1">
          {isJobPage ? (
            <span className="wrap-anywhere min-w-0 font-mono text-xs">{requestId}</span>
          ) : (
            <Link
              to="/jobs/$requestId"
              params={{ requestId }}
              preload={false}
              className="wrap-anywhere min-w-0 font-mono text-xs underline"
            >
              {requestId}
            </Link>
          )}
          <CopyId isIcon requestId={requestId} />
        </span>
      </Fact>
    </dl>
  );
}

/** The settings of a job, as they were sent, without empty ones. */
export function PayloadTable({ payload }: { payload: JsonRecord }) {
  const entries = Object.entries(payload).filter(([, value]) => value !== null && value !== "");
  if (entries.length === 0) return null;
  return (
    <section aria-label="Settings">
      <h2 className="m-0 mb-2 font-medium text-sm">Settings</h2>
      <dl className="m-0 grid grid-cols-[--spacing(24)_minmax(0,1fr)] gap-x-3 gap-y-2">
        {entries.map(([name, value]) => (
          <Fact key={name} name={visibleLine(name)}>
            <span dir="auto" className="wrap-anywhere block whitespace-pre-wrap">
              {valueText(value)}
            </span>
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function valueText(value: unknown): string {
  return visibleText(typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? ""));
}
