import { formatDateTime, formatRelativeDay } from "#lib/time.ts";
import type { UsedFact } from "./expected-result.ts";

/** "02:41" today, else with its day. */
function startText(atMs: number): string {
  const whole = formatDateTime(atMs / 1000);
  return formatRelativeDay(atMs / 1000, Date.now()) === "Today" ? (whole.split(", ").at(-1) ?? whole) : whole;
}

/** What a run was given and when it began, as quiet chips. `sinceMs`: undefined where nobody knows. */
export function WaitingFacts({ facts, sinceMs }: { facts: readonly UsedFact[]; sinceMs: number | undefined }) {
  const started = sinceMs === undefined ? [] : [{ label: "Started", value: startText(sinceMs) }];
  return (
    <dl aria-label="What is used" className="m-0 flex flex-wrap gap-1.5">
      {[...facts, ...started].map(({ label, value }) => (
        <div
          key={label}
          className="inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-sm bg-panel px-2 text-[12px] text-ink-2 tabular-nums in-data-[theme=light]:bg-hover forced-colors:border"
        >
          <dt className="shrink-0 text-ink-3">{label}</dt>
          <dd dir="auto" className="m-0 min-w-0 truncate" title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
