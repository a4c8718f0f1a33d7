import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { dismissBulk, startBulk, useBulkRun } from "./bulk-run.ts";

// Not `accent-color`: Chromium keeps to green for a bar that is this low.
const BAR =
  "mt-1.5 block h-1 w-72 max-w-[48vw] appearance-none overflow-hidden rounded-full border-0 bg-line-strong [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line-strong [&::-webkit-progress-value]:bg-accent";

/** What the zip under way is doing, and at the end what it could not get. */
export function BulkPanel() {
  const run = useBulkRun((state) => state.run);
  if (run.phase === "idle") return null;
  if (run.phase === "reading") {
    return (
      <div className="flex items-center gap-3 rounded-md border border-line-strong bg-raised px-4 py-2.5 shadow-float">
        <span role="status" className="min-w-0 flex-1 tabular-nums">
          Zip: looking which files there are, {run.jobs.toLocaleString("en-US")} jobs read
        </span>
        <Button size="sm" onClick={run.stop}>
          Stop
        </Button>
      </div>
    );
  }
  if (run.phase === "running") {
    const { done, total, failed, stop } = run;
    return (
      <div className="flex items-center gap-3 rounded-md border border-line-strong bg-raised px-4 py-2.5 shadow-float">
        <span className="min-w-0 flex-1 tabular-nums">
          Zip: {done} of {total} files{failed > 0 && `, ${failed} could not be had`}
          <progress className={BAR} aria-label="Zip" value={done} max={total} />
        </span>
        <Button size="sm" onClick={stop}>
          Stop
        </Button>
      </div>
    );
  }
  if (run.phase === "broken") {
    return (
      <Notice
        tone="error"
        title="The zip could not be written"
        onDismiss={dismissBulk}
        className="bg-raised! shadow-float"
      >
        {run.reason}
      </Notice>
    );
  }
  const { saved, failures, name } = run;
  const files = saved === 1 ? "1 file" : `${saved} files`;
  return (
    <Notice
      tone={failures.length > 0 ? "warning" : "success"}
      title={`${files} saved as ${name}`}
      onDismiss={dismissBulk}
      className="bg-raised! shadow-float"
      actions={
        failures.length > 0 && (
          <Button size="sm" onClick={() => void startBulk(failures)}>
            Retry {failures.length}
          </Button>
        )
      }
    >
      {failures.length > 0 && `${failures.length} could not be downloaded. They are listed in errors.txt.`}
    </Notice>
  );
}
