import { lazy, type ReactNode, Suspense } from "react";
import { Spinner } from "#ui/spinner.tsx";
import { StatusDot } from "#ui/status-dot.tsx";
import type { CheckState } from "./run-check.ts";
import { StorageCheck } from "./storage-check.tsx";
import type { Checks } from "./use-checks.ts";

/** Both checks with their results: what answered, with how many models, how fast; or what is wrong and what to do. */
export function CheckList({ checks, onWhy }: { checks: Checks; onWhy: () => void }) {
  return (
    <ul
      aria-label="Checks"
      aria-live="polite"
      className="m-0 flex list-none flex-col gap-2 rounded-md border border-line bg-panel p-3.5"
    >
      <Check name="Queue" state={checks.queue} />
      <Check name="Text" state={checks.text} />
      {checks.storage && <StorageCheck storage={checks.storage} onWhy={onWhy} />}
    </ul>
  );
}

function Check({ name, state }: { name: string; state: CheckState }) {
  return (
    <li className="grid grid-cols-[14px_1fr_auto] items-start gap-x-2.5">
      <span className="flex h-5 items-center">
        <Sign state={state} />
      </span>
      <CheckText name={name} state={state} />
    </li>
  );
}

function Sign({ state }: { state: CheckState }) {
  if (state.phase === "running") return <Spinner />;
  if (state.phase === "ok") return <StatusDot tone="success" label="Answered:" />;
  return state.phase === "waiting" ? (
    <StatusDot tone="unconfirmed" label="Waiting:" />
  ) : (
    <StatusDot tone="failed" label="Failed:" />
  );
}

function CheckText({ name, state }: { name: string; state: CheckState }): ReactNode {
  if (state.phase === "running") return <span className="text-ink-2">{name}, asking</span>;
  if (state.phase === "ok") {
    return (
      <>
        <span>
          {name}, {state.count} {state.count === 1 ? "model" : "models"}
          {state.route === "relay" && ", through the relay"}
        </span>
        <span className="text-ink-3 tabular-nums">{state.tookMs} ms</span>
      </>
    );
  }
  return (
    <div className="col-span-2 min-w-0">
      <Suspense fallback={name}>
        <CheckProblem
          name={name}
          error={state.error}
          nextAct={state.phase === "waiting" ? `Trying again in ${(state.retryInMs / 1000).toFixed(1)} s.` : undefined}
        />
      </Suspense>
    </div>
  );
}

// Most checks end well: the words for the others are loaded with the first that does not.
const CheckProblem = lazy(() =>
  import("./check-problem.tsx").then(
    (module) => ({ default: module.CheckProblem }),
    () => ({ default: PlainProblem }),
  ),
);

/** Where even the words did not arrive. */
function PlainProblem({ name }: { name: string }) {
  return <span>{name}: this did not work. The network may be down; check it and try again.</span>;
}
