import type { Job } from "#api/types.ts";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { daysLeft, retentionText } from "#media/retention.ts";
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
  const facts = shortFacts(job?.payload ?? tracked?.payload ?? {});
  const price = tracked?.priceMicroUsd;
  const days = job && job.media.length > 0 ? daysLeft(job.createdAtSeconds, Date.now()) : undefined;
  return (
    <footer className="flex min-h-[46px] flex-wrap items-center gap-2 border-line border-t px-[18px] py-2.5">
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
      <code className="ml-auto truncate font-mono text-[12px] text-ink-3">{requestId}</code>
    </footer>
  );
}

function shortFacts(payload: Record<string, unknown>): [string, string][] {
  return Object.entries(payload)
    .filter(([, value]) => typeof value === "string" || typeof value === "number")
    .map(([key, value]): [string, string] => [key, String(value)])
    .filter(([, value]) => value !== "" && value.length <= LONGEST)
    .slice(0, FACTS);
}
