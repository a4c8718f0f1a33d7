import { RefreshCw } from "lucide-react";
import { useId } from "react";
import { formatMicroUsd } from "#lib/money.ts";
import { Button, type ButtonProps } from "#ui/button.tsx";
import { useCommands } from "#ui/command-store.ts";
import type { RunAgain } from "./run-again.ts";

interface RunAgainButtonProps extends Pick<ButtonProps, "size" | "className" | "variant"> {
  again: RunAgain;
}

/**
 * Runs a job once more. Its exact price is on the button; until the service has told it, or where it cannot run, the
 * button stays focusable and says why.
 */
export function RunAgainButton({ again, ...look }: RunAgainButtonProps) {
  const id = useId();
  const { priceMicroUsd, isAsking, isSending, obstacle } = again;
  const word = again.hasNewSeed ? "Same settings, new seed" : "Run again";
  const price = priceMicroUsd === undefined ? undefined : formatMicroUsd(priceMicroUsd);
  const canRun = price !== undefined && obstacle === undefined && !isSending;
  const waits = isAsking ? "The price is loading." : "A run of this model is being submitted.";
  const unavailable = canRun ? undefined : (obstacle ?? waits);
  useCommands([
    {
      id: "result.run-again",
      label: word,
      group: "Result",
      icon: RefreshCw,
      value: price,
      unavailable,
      run: again.run,
    },
  ]);
  return (
    <>
      <Button
        {...look}
        busy={isSending}
        aria-disabled={!canRun}
        data-command="result.run-again"
        aria-describedby={canRun ? undefined : id}
        onClick={again.run}
      >
        {!isSending && <RefreshCw aria-hidden="true" className="size-4" />}
        {word}
        {/* The room of a price is kept while it is asked for. */}
        {obstacle === undefined && <span className="min-w-10 text-ink-2 tabular-nums">{price ?? "…"}</span>}
      </Button>
      {!canRun && (
        <span id={id} className="sr-only">
          {unavailable}
        </span>
      )}
    </>
  );
}

/** Why one more run is not possible now, in view, with the way to ask for the price again. */
export function RunAgainObstacle({ again }: { again: RunAgain | undefined }) {
  if (again?.obstacle === undefined) return null;
  return (
    <p className="m-0 flex flex-wrap items-center gap-x-2 text-[12.5px] text-ink-2">
      <span className="wrap-anywhere">{again.obstacle}</span>
      {again.obstacle.startsWith("No price") && (
        <Button size="sm" variant="ghost" onClick={again.askAgain}>
          Try again
        </Button>
      )}
    </p>
  );
}
