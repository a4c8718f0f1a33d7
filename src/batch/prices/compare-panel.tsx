import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ListFilter } from "lucide-react";
import { useId } from "react";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { roundTime } from "#results/waiting/usual-time.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { priceCommands } from "./commands.ts";
import { lowerFirst } from "./price-axes.ts";
import type { ComparedModel, Comparison } from "./use-compared-models.ts";

/** The price of one payload with every model of the catalog that takes it, the cheapest first. */
export function ComparePanel({
  comparison,
  settings,
  type,
}: {
  comparison: Comparison;
  /** The settings in words: "8 s, 1080p, 16:9, no sound". */
  settings: string;
  type: string | undefined;
}) {
  const titleId = useId();
  const { models, others, unread, isComplete, isWaiting, error } = comparison;
  const yours = models.find(({ isYours }) => isYours)?.priceMicroUsd;
  const prices = models.flatMap(({ priceMicroUsd }) => priceMicroUsd ?? []);
  const bounds = { lowest: Math.min(...prices), highest: Math.max(...prices), areKnown: isComplete };
  return (
    <section aria-labelledby={titleId} className="min-h-0 flex-1 xl:overflow-y-auto">
      <div className="px-5.5 pt-5 pb-3 max-sm:px-4">
        <h2 id={titleId} className="m-0 font-semibold text-base">
          Compare models with these settings
        </h2>
        <p dir="auto" className="m-0 mt-0.5 min-h-9 text-xs text-ink-3 tabular-nums">
          {settings}. {isWaiting ? "" : countWords(models.length, others.length, isComplete ? 0 : unread, type)}
        </p>
      </div>
      {error && <ErrorNotice error={error} operation="read" onRetry={comparison.retry} className="mx-4 mb-3" />}
      {isWaiting && (
        <div className="px-5.5 pb-4 max-sm:px-4">
          <p className="m-0 mb-3 text-sm text-ink-2">
            {/* Two requests for each model, two a second. */}
            Comparing all {counted(unread, "model")} sends up to {formatNumber(2 * unread)} free requests (about{" "}
            {roundTime(unread * 1000)}).
          </p>
          <CommandButton
            command={{
              ...priceCommands.compare,
              icon: ListFilter,
              run: comparison.start,
            }}
          />
        </div>
      )}
      {!isWaiting && (
        <ol className="m-0 list-none border-line border-t p-0 tabular-nums">
          {models.map((model) => (
            // Once the list is sorted, each entry is a new element: the browser then counts no layout shift.
            <ModelPrice key={`${isComplete} ${model.id}`} model={model} yours={yours} bounds={bounds} />
          ))}
        </ol>
      )}
      {others.length > 0 && isComplete && (
        <div className="px-5.5 pt-3.5 pb-4 text-sm max-sm:px-4">
          <h3 className="m-0 font-normal text-xs text-ink-3">Not available for</h3>
          <ul className="m-0 list-none p-0">
            {others.map(({ id, why }) => (
              <li key={id} className="flex justify-between gap-3 pt-1.5">
                <span dir="auto" className="min-w-0 truncate">
                  {visibleLine(id)}
                </span>
                <span dir="auto" className="shrink-0 max-w-[60%] text-end text-ink-3">
                  {why}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function countWords(taking: number, others: number, unread: number, type: string | undefined): string {
  if (unread > 0) return `Loading ${counted(unread, "more model")}…`;
  const kind = type === undefined ? "" : `${visibleLine(type, 20)} `;
  return `${formatNumber(taking)} of ${counted(taking + others, `${kind}model`)}.`;
}

interface ModelPriceProps {
  model: ComparedModel;
  yours: MicroUsd | undefined;
  /** The lowest and highest price so far; final once `areKnown`. */
  bounds: { lowest: MicroUsd; highest: MicroUsd; areKnown: boolean };
}

function ModelPrice({ model: { id, priceMicroUsd, usual, leftOut, isYours }, yours, bounds }: ModelPriceProps) {
  const areDifferent = bounds.areKnown && bounds.lowest < bounds.highest;
  const tags = [
    isYours && "Your model",
    areDifferent && priceMicroUsd === bounds.lowest && "Lowest",
    areDifferent && priceMicroUsd === bounds.highest && "Highest",
  ].filter((tag) => tag !== false);
  const difference = priceMicroUsd === undefined || yours === undefined ? 0 : priceMicroUsd - yours;
  return (
    <li
      className={clsx(
        "grid grid-cols-[minmax(0,1fr)_auto_auto] items-baseline gap-x-3 border-line border-b px-5.5 pt-3 pb-3.5 max-sm:px-4",
        isYours && "bg-hover",
      )}
    >
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <Link
          to="/prices/$modelId"
          params={{ modelId: id }}
          aria-current={isYours ? "true" : undefined}
          className="min-w-0 truncate font-medium hover:underline"
        >
          <bdi>{visibleLine(id)}</bdi>
        </Link>
        {tags.map((tag) => (
          <span key={tag} className="text-xs text-ink-2">
            {tag}
          </span>
        ))}
        {leftOut.length > 0 && (
          <span dir="auto" className="text-xs text-ink-3">
            without {leftOut.map((label) => lowerFirst(visibleLine(label, 30))).join(", ")}
          </span>
        )}
        {usual && <span className="text-xs text-ink-3">usually {usual}</span>}
      </span>
      <span className="text-xs text-ink-3">
        {difference !== 0 && `${difference < 0 ? "−" : "+"}${formatMicroUsd(Math.abs(difference))}`}
      </span>
      <span className="min-w-14.5 text-end font-semibold">
        {priceMicroUsd === undefined ? (
          <>
            <Skeleton className="ms-auto h-4 w-12" />
            <span className="sr-only">Loading price</span>
          </>
        ) : (
          formatMicroUsd(priceMicroUsd)
        )}
      </span>
      <span
        aria-hidden="true"
        className="col-span-3 mt-2 h-1 overflow-hidden rounded-full bg-line forced-color-adjust-none"
      >
        <span
          className={clsx("block h-full rounded-full", isYours ? "bg-ink" : "bg-ink-3")}
          style={{
            width:
              priceMicroUsd === undefined ? 0 : `${bounds.highest > 0 ? (100 * priceMicroUsd) / bounds.highest : 0}%`,
          }}
        />
      </span>
    </li>
  );
}
