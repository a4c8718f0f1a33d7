import { RefreshCw } from "lucide-react";
import type { CSSProperties } from "react";
import { explainError } from "#api/explain-error.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { formatAge } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useNow } from "#results/waiting/use-now.ts";
import type { PriceProgress } from "#runs/prices/row-prices.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { priceCommands } from "./commands.ts";
import type { PriceTable } from "./use-price-table.ts";

const STEPS = [4, 7.3, 10.6, 13.9, 17.1, 20.4, 23.7, 27];

/** What the surfaces mean, what does not move the price, and how the prices are known. */
export function PriceLegend({ table }: { table: PriceTable }) {
  const { facts, cells, priceOf, progress, refresh, modelId } = table;
  const { lowest, highest, ratio, unmoved } = facts;
  const hasOff = cells.some((cell) => priceOf(cell).state === "off");
  return (
    <div className="mt-3 text-[12px] text-ink-3 tabular-nums">
      {/* What comes with the last price has its room from the start: it must move nothing. */}
      <div className="flex min-h-5 flex-wrap content-start items-center gap-x-4 gap-y-1 max-sm:min-h-[42px]">
        {lowest !== undefined && highest !== undefined && ratio !== undefined && (
          <span className="flex items-center gap-2">
            {formatMicroUsd(lowest)}
            <span aria-hidden="true" className="flex overflow-hidden rounded-[3px] forced-color-adjust-none">
              {STEPS.map((step) => (
                <span key={step} style={{ "--heat": `${step}%` } as CSSProperties} className="price-heat h-2 w-4" />
              ))}
            </span>
            <span className="sr-only">to</span>
            {formatMicroUsd(highest)}
          </span>
        )}
        {hasOff && (
          <span className="flex items-center gap-2">
            <span aria-hidden="true" className="hatched h-2.5 w-4 rounded-[2px] border border-line-strong" />
            Not available
          </span>
        )}
        {unmoved.map((label) => (
          <span key={label} className="text-ink-2">
            {visibleLine(label, 40)} does not change the price of {visibleLine(modelId, 60)}.
          </span>
        ))}
      </div>
      <div className="mt-1 flex items-center justify-between gap-x-2 max-sm:min-h-11">
        <Progress progress={progress} />
        <CommandButton
          size="sm"
          variant="ghost"
          className="text-ink"
          command={{
            ...priceCommands.refresh,
            icon: RefreshCw,
            run: refresh,
          }}
        >
          Refresh
        </CommandButton>
      </div>
    </div>
  );
}

function Progress({ progress }: { progress: PriceProgress }) {
  const { priced, total, estimates, waiting, secondsLeft = 0, askedAtMs, trouble } = progress;
  const nowMs = useNow(1000, askedAtMs !== undefined);
  if (trouble) {
    return <span role="status">{explainError(trouble, "estimate").title}. Trying again in a moment.</span>;
  }
  if (waiting > 0 && priced < total) {
    const left = secondsLeft > 5 ? `, about ${durationWords(secondsLeft)} left` : "";
    return (
      <span>
        {priced} of {total} priced{left}
      </span>
    );
  }
  if (askedAtMs === undefined) return <span>Nothing was run.</span>;
  const made = `${estimates} free ${estimates === 1 ? "estimate" : "estimates"}`;
  return (
    <span role="status">
      Nothing was run.{" "}
      <span className="max-sm:block">
        Priced with {made}, <span aria-hidden="true">{ageWords(askedAtMs, nowMs)}</span>.
      </span>
    </span>
  );
}

/** "12 s ago" within a minute, then as everywhere. */
function ageWords(atMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - atMs) / 1000));
  return seconds < 60 ? `${seconds} s ago` : formatAge(atMs / 1000, nowMs);
}

const durationWords = (seconds: number) => (seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);
