import { formatDateTime } from "#lib/time.ts";
import type { UsedFact } from "./expected-result.ts";

/** What a run was given and when it began, as quiet chips. `sinceMs`: undefined where nobody knows. */
export function WaitingFacts({ facts, sinceMs }: { facts: readonly UsedFact[]; sinceMs: number | undefined }) {
  const started = sinceMs === undefined ? [] : [{ label: "Started", value: formatDateTime(sinceMs / 1000) }];
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
