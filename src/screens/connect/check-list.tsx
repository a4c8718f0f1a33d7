import type { ReactNode } from "react";
import { RefusedError } from "#api/api-error.ts";
import { explainError } from "#api/explain-error.ts";
import { Spinner, StatusDot } from "#ui/indicators.tsx";
import type { CheckState, Checks } from "./checks.ts";

/** Both checks with their results: what answered, with how many models, how fast; or what is wrong and what to do. */
export function CheckList({ checks }: { checks: Checks }) {
  return (
    <ul
      aria-label="Checks"
      aria-live="polite"
      className="m-0 flex list-none flex-col gap-2 rounded-md border border-line bg-panel p-3.5"
    >
      <Check name="Queue" state={checks.queue} />
      <Check name="Text" state={checks.text} />
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
        </span>
        <span className="text-ink-3 tabular-nums">{state.tookMs} ms</span>
      </>
    );
  }
  return (
    <div className="col-span-2 min-w-0">
      <CheckProblem
        name={name}
        error={state.error}
        nextAct={state.phase === "waiting" ? `Trying again in ${(state.retryInMs / 1000).toFixed(1)} s.` : undefined}
      />
    </div>
  );
}

/** Why a check did not end well, and what to do: in one line of the list. */
function CheckProblem({ name, error, nextAct }: { name: string; error: unknown; nextAct?: string | undefined }) {
  const { title, body, nextStep } = explainError(error, "connect");
  return (
    <>
      <span>
        {name}: {title}
      </span>
      {error instanceof RefusedError && error.hostReason === undefined && (
        <span className="text-ink-3 tabular-nums"> {error.status}</span>
      )}
      <p className="wrap-anywhere m-0 text-ink-2">
        {body} {nextAct ?? nextStep}
      </p>
    </>
  );
}
