import { Spinner } from "#ui/spinner.tsx";

/** Shown only when a screen's code takes longer than a moment to arrive. */
export function PendingScreen() {
  return (
    <div className="grid h-full min-h-40 place-items-center text-ink-3">
      <Spinner label="Loading" />
    </div>
  );
}
