import { type ReactNode, useEffect } from "react";
import { counted, formatNumber } from "#lib/numbers.ts";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { type BulkEnd, bulkEndText, dismissBulk, mountBulkPanel, useBulkRun } from "./bulk-run.ts";

/** What the run under way is doing, and at the end what it could not get. */
export function BulkPanel() {
  const run = useBulkRun((state) => state.run);
  useEffect(mountBulkPanel, []);
  switch (run.phase) {
    case "idle":
      return null;
    case "reading":
      return (
        <Floating onStop={run.stop}>
          <span role="status">Finding files… {counted(run.jobs, "job")} checked</span>
        </Floating>
      );
    case "running":
      return (
        <Floating onStop={run.stop}>
          {formatNumber(run.done - run.failed)} of {counted(run.total, "file")} saved
          {run.failed > 0 && `, ${formatNumber(run.failed)} couldn’t be downloaded`}
          {run.isWaiting && ", waiting for other transfers"}
          <progress
            className="progress mt-1.5 w-72 max-w-[48vw]"
            aria-label="Saving files"
            value={run.done}
            max={run.total}
          />
        </Floating>
      );
    default:
      return <End end={run} />;
  }
}

function End({ end }: { end: BulkEnd }) {
  const { tone, title, body, action } = bulkEndText(end);
  return (
    <Notice
      tone={tone}
      title={title}
      onDismiss={dismissBulk}
      className="bg-raised! shadow-float"
      actions={
        action && (
          <Button size="sm" onClick={action.onAct}>
            {action.label}
          </Button>
        )
      }
    >
      {body}
    </Notice>
  );
}

function Floating({ onStop, children }: { onStop: () => void; children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 rounded-md border border-line-strong bg-raised px-4 py-2.5 shadow-float">
      <span className="min-w-0 flex-1 tabular-nums">{children}</span>
      <Button size="sm" onClick={onStop}>
        Stop
      </Button>
    </div>
  );
}
