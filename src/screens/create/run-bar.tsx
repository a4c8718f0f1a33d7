import { clsx } from "clsx";
import { lazy, type ReactNode, Suspense } from "react";
import { useSpendLimits } from "#jobs/ledger/use-spend-limits.ts";
import type { SubmitState } from "#jobs/submit/submit-state.ts";
import type { EstimateState } from "#jobs/use-estimate.ts";
import { formatMicroUsd } from "#lib/money.ts";
import type { FormStore } from "#schema-form/form/form-store.ts";
import { Button } from "#ui/button.tsx";
import { Kbd } from "#ui/kbd.tsx";

type PendingInputs = Record<"upload" | "choice", number>;

const NO_PRICE = "No price";
const PriceProblem = lazy(() =>
  import("./price-problem.tsx").then(
    (module) => ({ default: module.PriceProblem }),
    () => ({ default: () => NO_PRICE }),
  ),
);

/**
 * The price and the one button that spends it. The estimate is the charge (spec 2), so the button carries it. When it
 * cannot run it stays focusable and the line above says why.
 */
export function RunBar({
  store,
  problems,
  count,
  pending,
  estimate,
  state,
  lineUp,
  onRun,
}: {
  store: FormStore;
  problems: number;
  /** How many results the run asks for, where the model can make several. */
  count: number;
  /** Files on their way to the service's storage, and those that wait for a word: Run waits for both. */
  pending: PendingInputs;
  estimate: EstimateState;
  state: SubmitState;
  /** The way to several runs of the form, beside the price. */
  lineUp?: ReactNode;
  onRun: () => void;
}) {
  const { priceMicroUsd, isStale, error } = estimate;
  const { limits, todayMicroUsd } = useSpendLimits();
  const sending = state.phase === "sending";
  const price = priceMicroUsd === undefined ? undefined : formatMicroUsd(priceMicroUsd);
  return (
    <div className="flex flex-col gap-2.5">
      <div
        className={clsx(
          "flex min-h-6 items-center gap-x-2 text-[12.5px] text-ink-2",
          error !== null && "flex-wrap justify-between",
        )}
      >
        <span role="status" className={clsx("wrap-anywhere min-w-0", error !== null && "basis-full")}>
          {reason({ store, problems, count, pending, estimate, state })}
        </span>
        {error === null && (
          <span className="ml-auto whitespace-nowrap text-ink-3 tabular-nums">
            Today {formatMicroUsd(todayMicroUsd)}
            {limits.perDayMicroUsd !== undefined && ` of ${formatMicroUsd(limits.perDayMicroUsd)}`}
          </span>
        )}
        {lineUp}
        {error !== null && problems === 0 && (
          <Button size="sm" variant="ghost" className="ml-auto" onClick={estimate.retry}>
            Ask for the price again
          </Button>
        )}
      </div>
      <Button
        variant="primary"
        size="lg"
        className="w-full"
        aria-label="Run"
        aria-keyshortcuts="Control+Enter Meta+Enter"
        busy={sending}
        aria-disabled={
          problems === 0 &&
          error === null &&
          pending.choice === 0 &&
          (pending.upload > 0 || priceMicroUsd === undefined || isStale)
        }
        onClick={onRun}
      >
        {sending ? "Sending" : "Run"}
        {price !== undefined && problems === 0 && (
          <span className={clsx("tabular-nums transition-opacity duration-150", isStale && "opacity-50")}>{price}</span>
        )}
        <Kbd keys="mod+enter" />
      </Button>
    </div>
  );
}

function reason({
  store,
  problems,
  count,
  pending,
  estimate,
  state,
}: {
  store: FormStore;
  problems: number;
  count: number;
  pending: PendingInputs;
  estimate: EstimateState;
  state: SubmitState;
}): ReactNode {
  if (state.phase === "sending")
    return state.step === "checking" ? "Checking before anything is sent" : "Sent, waiting for the answer";
  if (pending.choice > 0) return "Crop it or keep it whole";
  if (pending.upload > 0) return "Waiting for the upload";
  if (problems > 0) return problems === 1 ? "1 field needs a value" : `${problems} fields need a value`;
  // Spec 2: the estimate takes the same body as the submit, so what it refuses the submit would refuse, too.
  if (estimate.error !== null) {
    return (
      <Suspense fallback={NO_PRICE}>
        <PriceProblem error={estimate.error} store={store} />
      </Suspense>
    );
  }
  if (estimate.priceMicroUsd === undefined || estimate.isStale) return "Asking for the price";
  const each = estimate.priceMicroUsd / count;
  return count > 1 && Number.isInteger(each) ? `${count} at ${formatMicroUsd(each)} each` : "The exact price";
}
