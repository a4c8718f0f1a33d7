import { Link } from "@tanstack/react-router";
import { Download, Wallet } from "lucide-react";
import { useState } from "react";
import { ImportJobsPanel } from "#jobs/import/import-jobs-panel.tsx";
import type { LedgerLine } from "#jobs/ledger/ledger.ts";
import { ledgerCsv, SHARED_BALANCE } from "#jobs/ledger/ledger-words.ts";
import { dayStart } from "#jobs/ledger/spend-limits.ts";
import { kindOfLines, type SpendGroup, type SpendSums, sumBy, sumByDay, sumLines } from "#jobs/ledger/spend-summary.ts";
import { useIsLedgerRead, useLedger } from "#jobs/ledger/use-ledger.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { buttonClass } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { LedgerTable } from "./ledger-table.tsx";
import { LimitsForm } from "./limits-form.tsx";
import { SpendPlot } from "./spend-plot.tsx";

/** `/spend`: what was charged and refunded, how each of it is known, and the limits. No balance: the service reports none. */
export function SpendScreen() {
  const lines = useLedger();
  const isRead = useIsLedgerRead();
  const [range, setRange] = useState<Range>("30");
  return (
    <>
      <PageBar title="Spend">
        <Segmented label="Time" options={RANGES} value={range} onChange={setRange} />
        <CommandButton
          disabled={lines.length === 0}
          command={{
            id: "spend.export",
            label: "Export CSV",
            group: "Spend",
            icon: Download,
            ...(lines.length === 0 ? { unavailable: "There is nothing to export" } : {}),
            run: () => saveLedger(lines),
          }}
        />
      </PageBar>
      {/* Nothing before the ledger is read, in a few milliseconds: what stands under it would be moved. */}
      {isRead && (
        <div className="mx-auto flex max-w-[1080px] flex-col gap-7 p-[18px] max-sm:p-4">
          {lines.length === 0 ? (
            <EmptyState
              icon={Wallet}
              title="No spending in this browser yet"
              actions={
                <Link to="/create" className={buttonClass({ variant: "primary" })}>
                  Go to Create
                </Link>
              }
            >
              Run a model on Create, and its charge or refund appears here.
            </EmptyState>
          ) : (
            <SpendOfRange lines={lines} range={range} />
          )}
          <LimitsForm />
          <section>
            <h2 className="m-0 mb-1 font-semibold text-[13.5px]">Import jobs</h2>
            <p className="m-0 mb-3 max-w-[68ch] text-[12.5px] text-ink-3">
              Spend covers runs of this browser. The service gives no balance, and its job records have no prices.{" "}
              {SHARED_BALANCE}
            </p>
            <ImportJobsPanel />
          </section>
        </div>
      )}
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

const RANGES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "all", label: "All" },
] as const;
type Range = (typeof RANGES)[number]["value"];

const MOST_DAYS = 366;

/** Midnight at which a range starts, ms. "All" starts with the oldest line, a year back at most. */
function rangeStart(range: Range, lines: readonly LedgerLine[], nowMs: number): number {
  const today = new Date(dayStart(nowMs));
  const back = (days: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).getTime();
  if (range !== "all") return back(Number(range) - 1);
  const oldest = lines.reduce((least, { atMs }) => Math.min(least, atMs), nowMs);
  return Math.max(dayStart(oldest), back(MOST_DAYS - 1));
}

/** The sums of the range: what was charged, what came back, and what is not known yet. */
function SpendFigures({ sums }: { sums: SpendSums }) {
  const { chargedMicroUsd, refundedMicroUsd, unconfirmedMicroUsd, jobs, unpriced } = sums;
  return (
    <dl className="m-0 grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-4">
      <Figure
        name="Spent"
        amount={formatMicroUsd(chargedMicroUsd - refundedMicroUsd)}
        note={jobsText(jobs, unpriced)}
      />
      <Figure name="Total charged" amount={formatMicroUsd(chargedMicroUsd)} note="before refunds" />
      <Figure name="Refunded" amount={formatMicroUsd(refundedMicroUsd)} note="for failed jobs" />
      <Figure
        name="Pending"
        amount={formatMicroUsd(unconfirmedMicroUsd)}
        note={unconfirmedMicroUsd > 0 ? "may have been charged" : "no pending charges"}
      />
    </dl>
  );
}

function jobsText(jobs: number, unpriced: number): string {
  const count = jobs === 1 ? "1 job" : `${jobs.toLocaleString("en-US")} jobs`;
  return unpriced === 0 ? count : `${count}, ${unpriced.toLocaleString("en-US")} with unknown price not included`;
}

function Figure({ name, amount, note }: { name: string; amount: string; note: string }) {
  return (
    <div className="bg-panel px-4 py-3">
      <dt className="text-[12.5px] text-ink-3">{name}</dt>
      <dd className="m-0 mt-0.5 font-semibold text-[20px] tabular-nums leading-7">{amount}</dd>
      <dd className="m-0 text-[12px] text-ink-3">{note}</dd>
    </div>
  );
}

const NUMBER = "px-3 py-1.5 text-right tabular-nums whitespace-nowrap";

/** What was spent by model, or by kind of media. */
function SpendGroups({ title, groups }: { title: string; groups: readonly SpendGroup[] }) {
  return (
    <section className="min-w-0">
      <h2 className="m-0 mb-2 font-semibold text-[13.5px]">{title}</h2>
      <div className="overflow-x-auto rounded-md border border-line">
        <table className="w-full border-collapse text-left">
          <thead className="text-[12.5px] text-ink-3">
            <tr>
              <th scope="col" className="px-3 py-1.5 font-normal">
                Name
              </th>
              <th scope="col" className={`${NUMBER} font-normal`}>
                Jobs
              </th>
              <th scope="col" className={`${NUMBER} font-normal`}>
                Refunded
              </th>
              <th scope="col" className={`${NUMBER} font-normal`}>
                Spent
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.name} className="border-line border-t">
                <th scope="row" className="max-w-[24ch] truncate px-3 py-1.5 font-medium">
                  {group.name}
                </th>
                <td className={NUMBER}>{group.jobs.toLocaleString("en-US")}</td>
                <td className={NUMBER}>{group.refundedMicroUsd > 0 ? formatMicroUsd(group.refundedMicroUsd) : ""}</td>
                <td className={NUMBER}>{formatMicroUsd(group.chargedMicroUsd - group.refundedMicroUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
