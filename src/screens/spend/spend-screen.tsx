import { Download, Wallet } from "lucide-react";
import { useState } from "react";
import { BringInJobs } from "#jobs/bring-in-jobs.tsx";
import { BringInOneJob } from "#jobs/bring-in-one-job.tsx";
import { ledgerCsv } from "#jobs/ledger/ledger-csv.ts";
import type { LedgerLine } from "#jobs/ledger/ledger-line.ts";
import { kindOfLines, sumBy, sumByDay, sumLines } from "#jobs/ledger/spend-summary.ts";
import { useLedger } from "#jobs/ledger/use-ledger.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { saveBlob } from "#media/save-blob.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { LedgerTable } from "./ledger-table.tsx";
import { LimitsForm } from "./limits-form.tsx";
import { SpendFigures } from "./spend-figures.tsx";
import { SpendGroups } from "./spend-groups.tsx";
import { SpendPlot } from "./spend-plot.tsx";
import { RANGES, type Range, rangeStart } from "./spend-range.ts";

/** `/spend`: what was charged and refunded, how each of it is known, and the limits. No balance: the service tells none. */
export function SpendScreen() {
  const lines = useLedger();
  const [range, setRange] = useState<Range>("30");
  return (
    <>
      <PageBar title="Spend">
        <Segmented label="Time" options={RANGES} value={range} onChange={setRange} />
        <Button disabled={lines.length === 0} onClick={() => saveLedger(lines)}>
          <Download aria-hidden="true" className="size-4" />
          Export CSV
        </Button>
      </PageBar>
      <div className="mx-auto flex max-w-[1080px] flex-col gap-7 p-[18px] max-sm:p-4">
        {lines.length === 0 ? (
          <EmptyState icon={Wallet} title="Nothing spent from this browser yet">
            Every run adds a line here: what it cost, whether it was refunded, and how that is known.
          </EmptyState>
        ) : (
          <SpendOfRange lines={lines} range={range} />
        )}
        <LimitsForm />
        <section>
          <h2 className="m-0 mb-1 font-semibold text-[13.5px]">Jobs from elsewhere</h2>
          <p className="m-0 mb-3 max-w-[68ch] text-[12.5px] text-ink-3">
            This page knows what this browser sent. The service shows no balance, and its job records tell no price.
          </p>
          <BringInOneJob />
          <BringInJobs />
        </section>
      </div>
    </>
  );
}

/** As octet-stream: a browser must never open it as a page of this origin. */
function saveLedger(lines: readonly LedgerLine[]): void {
  const file = new Blob([ledgerCsv(lines)], { type: "application/octet-stream" });
  saveBlob(file, `safelight-ledger-${new Date().toISOString().slice(0, 10)}.csv`);
}

function SpendOfRange({ lines, range }: { lines: readonly LedgerLine[]; range: Range }) {
  const tracked = useTrackedJobs();
  const nowMs = Date.now();
  const fromMs = rangeStart(range, lines, nowMs);
  const inRange = lines.filter(({ atMs }) => atMs >= fromMs);
  return (
    <>
      <SpendFigures sums={sumLines(inRange)} />
      <SpendPlot days={sumByDay(inRange, fromMs, nowMs)} />
      <div className="grid gap-7 md:grid-cols-2">
        <SpendGroups title="By model" groups={sumBy(inRange, ({ model }) => model ?? "Unknown model")} />
        <SpendGroups title="By kind" groups={sumBy(inRange, kindOfLines(tracked))} />
      </div>
      <LedgerTable key={range} lines={inRange} />
    </>
  );
}
