import type { JsonRecord } from "#lib/read.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import { Fact } from "#ui/fact.tsx";

/** The parameters of a job, as they were sent. Empty ones are left out. */
export function PayloadTable({ payload }: { payload: JsonRecord }) {
  const entries = Object.entries(payload).filter(([, value]) => value !== null && value !== "");
  if (entries.length === 0) return null;
  return (
    <section aria-label="Parameters">
      <h2 className="m-0 mb-2 font-medium text-[12.5px]">Parameters</h2>
      <dl className="m-0 grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-2">
        {entries.map(([name, value]) => (
          <Fact key={name} name={visibleLine(name)}>
            <span dir="auto" className="wrap-anywhere block whitespace-pre-wrap">
              {shown(value)}
            </span>
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function shown(value: unknown): string {
  return visibleText(typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? ""));
}
