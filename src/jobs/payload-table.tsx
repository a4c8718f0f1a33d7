import type { JsonRecord } from "#lib/read.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";

/** The parameters of a job, as they were sent. Empty ones are left out. */
export function PayloadTable({ payload }: { payload: JsonRecord }) {
  const entries = Object.entries(payload).filter(([, value]) => value !== null && value !== "");
  if (entries.length === 0) return null;
  return (
    <section aria-label="Parameters">
      <h2 className="m-0 mb-2 font-medium text-[12.5px]">Parameters</h2>
      <dl className="m-0 grid gap-2">
        {entries.map(([name, value]) => (
          <div key={name} className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-3">
            <dt className="wrap-anywhere text-ink-3">{visibleLine(name)}</dt>
            <dd dir="auto" className="wrap-anywhere m-0 whitespace-pre-wrap tabular-nums">
              {shown(value)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function shown(value: unknown): string {
  return visibleText(typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? ""));
}
