import { Link } from "@tanstack/react-router";
import type { Job } from "#api/types.ts";
import { PayloadTable } from "#jobs/payload-table.tsx";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { formatDateTime, formatElapsed } from "#lib/time.ts";
import { daysLeft, retentionText, retentionTone } from "#media/retention.ts";
import { Fact } from "#ui/fact.tsx";
import { CopyButton } from "./copy-button.tsx";
import { JobPrice } from "./job-price.tsx";
import { tookMs } from "./took.ts";

interface JobDetailsProps {
  job: Job;
  tracked: TrackedJob | undefined;
}

const TONES = { fine: "", soon: "text-unconfirmed", last: "text-failed", over: "text-ink-3" };

/** The facts of a job: model, price, times, days left, parameters, and its record as the service sent it. */
export function JobDetails({ job, tracked }: JobDetailsProps) {
  const took = tookMs(job);
  const days = job.media.length > 0 ? daysLeft(job.createdAtSeconds, Date.now()) : undefined;
  const payload = job.payload ?? tracked?.payload;
  return (
    <aside aria-label="Details" className="grid min-w-0 gap-5 text-[12.5px]">
      <dl className="m-0 grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-2">
        <Fact name="Model">
          {job.model ? (
            <Link
              to="/create/$modelId"
              params={{ modelId: job.model }}
              preload={false}
              className="wrap-anywhere underline"
            >
              {job.model}
            </Link>
          ) : (
            "not said"
          )}
        </Fact>
        <Fact name="Price">
          <JobPrice job={job} tracked={tracked} />
        </Fact>
        {job.createdAtSeconds !== undefined && <Fact name="Created">{formatDateTime(job.createdAtSeconds)}</Fact>}
        {took !== undefined && <Fact name="Took">{formatElapsed(took)}</Fact>}
        {days !== undefined && (
          <Fact name="Files">
            <span className={TONES[retentionTone(days)]}>{retentionText(days)}</span>
          </Fact>
        )}
        <Fact name="Id">
          <span className="flex items-start gap-1">
            <span className="wrap-anywhere min-w-0 font-mono text-[12px]">{job.requestId}</span>
            <CopyButton text={job.requestId} label="Copy id" />
          </span>
        </Fact>
      </dl>
      {payload && <PayloadTable payload={payload} />}
      <details>
        <summary className="cursor-pointer font-medium">Record from the service</summary>
        <pre className="wrap-anywhere mt-2 whitespace-pre-wrap rounded-sm bg-well p-3 font-mono text-[11.5px]">
          {recordText(job.raw)}
        </pre>
      </details>
    </aside>
  );
}

const LONGEST_TEXT = 400;

/** The record as JSON with long texts, such as whole files inline, cut. */
function recordText(raw: unknown): string {
  const cut = (_key: string, value: unknown) =>
    typeof value === "string" && value.length > LONGEST_TEXT
      ? `${value.slice(0, LONGEST_TEXT)}… (${value.length.toLocaleString("en-US")} characters)`
      : value;
  return JSON.stringify(raw, cut, 2);
}
