import { Button } from "#ui/button.tsx";
import { Spinner } from "#ui/indicators.tsx";
import { useExportRun } from "./export-run.ts";

/** The export under way, and the way to cancel it. */
export function ExportProgress() {
  const { run } = useExportRun();
  if (run.phase !== "running") return null;
  const { label, done, total, stop } = run;
  return (
    <div
      role="status"
      className="pointer-events-auto flex items-center gap-3 rounded-[12px] border border-line-strong bg-raised py-1.5 pr-1.5 pl-3.5 text-[12.5px] tabular-nums shadow-float"
    >
      <Spinner />
      {total === 0 ? `${label}: starting` : `${label}: ${done} of ${total} results read`}
      <Button size="sm" variant="ghost" onClick={stop}>
        Cancel
      </Button>
    </div>
  );
}
