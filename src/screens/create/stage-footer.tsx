import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import type { Job } from "#api/types.ts";
import { jobPrompt } from "#jobs/job-prompt.ts";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { JobWireButton } from "#jobs/wire/job-wire-button.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import { daysLeft, retentionText } from "#media/retention.ts";
import { buttonClass } from "#ui/button-class.ts";
import { Pill } from "#ui/pill.tsx";

const FACTS = 4;
const LONGEST = 24;

/** The facts of a job in a line: its short parameters, what was charged, how long its files are kept. */
export function StageFooter({
  requestId,
  job,
  tracked,
}: {
  requestId: string;
  job: Job | undefined;
  tracked: TrackedJob | undefined;
}) {
  const payload = job?.payload ?? tracked?.payload ?? {};
  // The prompt stands above the media.
  const prompt = jobPrompt(payload);
  const facts = shortFacts(payload)
    .filter(([, value]) => value.trim() !== prompt)
    .slice(0, FACTS);
  const price = tracked?.priceMicroUsd;
  const days = job && job.media.length > 0 ? daysLeft(job.createdAtSeconds, Date.now()) : undefined;
  return (
    <footer className="flex min-h-[46px] flex-wrap items-center gap-x-2 gap-y-1.5 border-line border-t px-[18px] py-2.5">
      {facts.map(([key, value]) => (
        <Pill key={key} title={key}>
          {/seed/i.test(key) ? `seed ${value}` : value}
        </Pill>
      ))}
      {price !== undefined && (
        <Pill>
          {job?.status === "failed" ? "refunded" : "charged"} {formatMicroUsd(price)}
        </Pill>
      )}
      {days !== undefined && <Pill>{retentionText(days)}</Pill>}
      <code
        className="min-w-0 flex-1 basis-24 truncate text-right font-mono text-[12px] text-ink-3 max-sm:hidden"
        title={requestId}
      >
        {requestId}
      </code>
      <span className="flex max-sm:ml-auto">
        {job && <JobWireButton job={job} payload={tracked?.payload} variant="ghost" size="sm" />}
        <Link
          to="/jobs/$requestId"
          params={{ requestId }}
          className={buttonClass({ variant: "ghost", size: "sm", className: "-mr-2" })}
        >
          Open job
          <ArrowUpRight aria-hidden="true" className="size-4" />
        </Link>
      </span>
    </footer>
  );
}

function shortFacts(payload: Record<string, unknown>): [string, string][] {
  return Object.entries(payload)
    .filter(([, value]) => typeof value === "string" || typeof value === "number")
    .map(([key, value]): [string, string] => [key, String(value)])
    .filter(([, value]) => value !== "" && value.length <= LONGEST);
}
