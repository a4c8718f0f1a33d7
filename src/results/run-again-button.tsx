import { RefreshCw } from "lucide-react";
import { useId, useRef } from "react";
import { formatMicroUsd } from "#lib/money.ts";
import { Button, type ButtonProps } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { jobCommands, resultCommands } from "./commands.ts";
import type { RunAgain } from "./run-again.ts";

interface RunAgainButtonProps extends Pick<ButtonProps, "size" | "className" | "variant"> {
  again: RunAgain;
}

/**
 * Runs a job once more. Its exact price is on the button; until the service has reported it, or where it cannot run, the
 * button stays focusable and says why. Its command only leads to the button: a key alone never spends.
 */
export function RunAgainButton({ again, ...look }: RunAgainButtonProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const { priceMicroUsd, isAsking, isSending, obstacle } = again;
  const command = again.hasNewSeed ? resultCommands.newSeed : jobCommands.runAgain;
  const price = priceMicroUsd === undefined ? undefined : formatMicroUsd(priceMicroUsd);
  const canRun = price !== undefined && obstacle === undefined && !isSending;
  const waits = isAsking ? "The price is loading." : "A run of this model is being submitted.";
  const unavailable = canRun ? undefined : (obstacle ?? waits);
  useCommands([{ ...command, icon: RefreshCw, value: price, run: () => button.current?.focus() }]);
  return (
    <>
      <Button
        {...look}
        {...useCommandProps(command)}
        ref={button}
        busy={isSending}
        aria-disabled={!canRun}
        aria-describedby={canRun ? undefined : id}
        onClick={again.run}
      >
        {!isSending && <RefreshCw aria-hidden="true" className="size-4" />}
        {command.label}
        {/* The price has its space already while it is asked for. */}
        {obstacle === undefined && <span className="min-w-10 text-ink-2 tabular-nums">{price ?? "…"}</span>}
        <Kbd command={command} />
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
