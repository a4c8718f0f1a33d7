import { useState } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { Button } from "#ui/button.tsx";
import { bringInJobs } from "./import/import-jobs.ts";

type State =
  | { phase: "idle" | "busy" }
  | { phase: "done"; found: number; added: number }
  | { phase: "failed"; error: unknown };

function doneText({ found, added }: { found: number; added: number }): string {
  if (found === 0) return "The job list is empty.";
  if (added === 0) return `All ${found} jobs of the list were known already.`;
  return `${added} of ${found} jobs brought in. Their prices are not known here.`;
}

/** "Bring in my last 1,000 jobs": jobs of other clients and devices become ones that this browser knows. */
export function BringInJobs() {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const [state, setState] = useState<State>({ phase: "idle" });
  async function bringIn() {
    setState({ phase: "busy" });
    try {
      setState({ phase: "done", ...(await bringInJobs(api, accountId)) });
    } catch (error) {
      setState({ phase: "failed", error });
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button size="sm" busy={state.phase === "busy"} onClick={() => void bringIn()}>
        Bring in my last 1,000 jobs
      </Button>
      <span role="status" className="text-[12.5px] text-ink-3">
        {state.phase === "done" && doneText(state)}
      </span>
      {state.phase === "failed" && <ErrorNotice error={state.error} doing="read" onRetry={() => void bringIn()} />}
    </div>
  );
}
