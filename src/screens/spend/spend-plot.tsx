import type { SpendDay } from "#jobs/ledger/spend-summary.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { formatDayOfYear } from "#lib/time.ts";

const dayName = (startMs: number) => formatDayOfYear(startMs / 1000);

const HEIGHT = 132;
const WIDTH = 720;
const GAP = 0.28;

/** What the plot shows, in one sentence for those who do not see it. */
function described(days: readonly SpendDay[]): string {
  const dearest = days.reduce<SpendDay | undefined>(
    (most, day) => (day.chargedMicroUsd > (most?.chargedMicroUsd ?? 0) ? day : most),
    undefined,
  );
  if (!dearest) return "Charges per day: none in this period.";
  return `Charges per day. The highest was ${formatMicroUsd(dearest.chargedMicroUsd)} on ${dayName(dearest.startMs)}.`;
}

/** A bar per day: what was charged, and hollow on top of it what came back. */
export function SpendPlot({ days }: { days: readonly SpendDay[] }) {
  const most = Math.max(1, ...days.map((day) => day.chargedMicroUsd));
  const step = WIDTH / Math.max(1, days.length);
  const width = Math.min(36, step * (1 - GAP));
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure className="m-0 rounded-md border border-line bg-panel px-4 pt-4 pb-3">
      <svg
        role="img"
        aria-label={described(days)}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-[132px] w-full"
      >
        <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line-strong" />
        {days.map((day, index) => {
          const charged = (day.chargedMicroUsd / most) * (HEIGHT - 8);
          const refunded = Math.min(charged, (day.refundedMicroUsd / most) * (HEIGHT - 8));
          const x = index * step + (step - width) / 2;
          return (
            <g key={day.startMs}>
              <title>{`${dayName(day.startMs)}: ${formatMicroUsd(day.chargedMicroUsd)} charged, ${formatMicroUsd(day.refundedMicroUsd)} refunded`}</title>
              <rect x={index * step} y="0" width={step} height={HEIGHT} className="fill-transparent" />
              <rect x={x} y={HEIGHT - charged} width={width} height={refunded} className="fill-ink-3/25" />
              <rect
                x={x}
                y={HEIGHT - charged + refunded}
                width={width}
                height={charged - refunded}
                className="fill-ink-2"
              />
            </g>
          );
        })}
      </svg>
      <figcaption className="mt-2 flex flex-wrap items-center gap-x-4 text-[12px] text-ink-3 tabular-nums">
        <span>{first && dayName(first.startMs)}</span>
        <span className="ml-auto flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-[2px] bg-ink-2" />
          Charged
        </span>
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-[2px] bg-ink-3/25" />
          Refunded
        </span>
        <span className="ml-auto">{last && last !== first && dayName(last.startMs)}</span>
      </figcaption>
    </figure>
  );
}
