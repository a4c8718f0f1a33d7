import { RefusedError } from "#api/api-error.ts";
import { explainError } from "#api/explain-error.ts";

/** Why a check did not end well, and what to do: in one line of the list. */
export function CheckProblem({ name, error, nextAct }: { name: string; error: unknown; nextAct?: string | undefined }) {
  const { title, body, nextStep } = explainError(error, "connect");
  return (
    <>
      <span>
        {name}: {title}
      </span>
      {error instanceof RefusedError && <span className="text-ink-3 tabular-nums"> {error.status}</span>}
      <p className="wrap-anywhere m-0 text-ink-2">
        {body} {nextAct ?? nextStep}
      </p>
    </>
  );
}
