import { clsx } from "clsx";
import { formatMicroUsd } from "#lib/money.ts";
import { Amount } from "./amount.tsx";
import { seriesColour, seriesName } from "./series.ts";
import type { SpendBucket, SpendView } from "./spend-view.ts";
import { bucketName, chargedText, counted, refundText } from "./spend-words.ts";

/** What one bar is made of, beside it. The parts add up to the amount in the first line. */
export function ChartTip({ bucket, view, place }: { bucket: SpendBucket; view: SpendView; place: number }) {
  const { sums, charged, hasData } = bucket;
  const unknown = sums.unpriced + sums.pendingUnknown;
  const notes = [
    refundText(sums),
    sums.pending > sums.pendingUnknown ? `${formatMicroUsd(sums.pendingMicroUsd)} unconfirmed, not in the total` : "",
    unknown > 0 ? `${counted(unknown, "entry", "entries")} of unknown price, not in the total` : "",
  ].filter(Boolean);
  const parts = view.series
    .map((one, index) => ({ one, index, amount: charged[index] ?? 0 }))
    .filter(({ amount }) => amount !== 0)
    .reverse();
  return (
    <div
      aria-hidden="true"
      className={clsx(
        "pointer-events-none absolute top-0 z-10 w-[224px] max-w-[calc(100vw-6rem)] rounded-md border border-line-strong bg-raised p-3 text-[12.5px] text-ink-2 shadow-float",
        place < 0.5 ? "ms-5" : "-ms-5 -translate-x-full",
      )}
      style={{ left: `${place * 100}%` }}
    >
      <p className="m-0 flex justify-between gap-3 font-semibold text-ink">
        <span>{bucketName(bucket, view.unit)}</span>
        <span>{hasData && <Amount text={chargedText(sums)} />}</span>
      </p>
      {!hasData && <p className="m-0 mt-1 text-[12px] text-ink-3">No data: before the first entry in this browser.</p>}
      {parts.map(({ one, index, amount }) => (
        <p key={one.model ?? ""} className="m-0 mt-0.5 flex items-center gap-2">
          <span className={clsx("size-2.5 shrink-0 rounded-[2.5px]", seriesColour(one, index))} />
          <span dir="auto" className="min-w-0 flex-1 truncate">
            {seriesName(one)}
          </span>
          <span className="text-ink">
            <Amount text={formatMicroUsd(amount)} />
          </span>
        </p>
      ))}
      {sums.estimated > 0 && (
        <p className="m-0 mt-0.5 flex items-center gap-2">
          <span className="spend-estimated size-2.5 shrink-0 rounded-[2.5px]" />
          <span className="flex-1">Estimated</span>
          <span>≈ {formatMicroUsd(sums.estimatedMicroUsd)}</span>
        </p>
      )}
      {notes.length > 0 && (
        <p className="m-0 mt-1.5 border-line border-t pt-1.5 text-[12px] text-ink-3">
          {notes.map((note) => (
            <span key={note} className="block">
              {note}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}
