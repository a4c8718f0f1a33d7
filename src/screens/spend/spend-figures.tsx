import type { SpendSums } from "#jobs/ledger/spend-summary.ts";
import { formatMicroUsd } from "#lib/money.ts";

/** The sums of the range: what was charged, what came back, and what is not known yet. */
export function SpendFigures({ sums }: { sums: SpendSums }) {
  const { chargedMicroUsd, refundedMicroUsd, unconfirmedMicroUsd, jobs, unpriced } = sums;
  return (
    <dl className="m-0 grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-4">
      <Figure
        name="Spent"
        amount={formatMicroUsd(chargedMicroUsd - refundedMicroUsd)}
        note={jobsText(jobs, unpriced)}
      />
      <Figure name="Charged" amount={formatMicroUsd(chargedMicroUsd)} note="when a submit was accepted" />
      <Figure name="Refunded" amount={formatMicroUsd(refundedMicroUsd)} note="failed jobs, exactly" />
      <Figure
        name="Unconfirmed"
        amount={formatMicroUsd(unconfirmedMicroUsd)}
        note={unconfirmedMicroUsd > 0 ? "may have been charged" : "nothing is open"}
      />
    </dl>
  );
}

function jobsText(jobs: number, unpriced: number): string {
  const count = jobs === 1 ? "1 job" : `${jobs.toLocaleString("en-US")} jobs`;
  return unpriced === 0 ? count : `${count}, ${unpriced.toLocaleString("en-US")} of unknown price not counted`;
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
