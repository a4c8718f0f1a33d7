import type { ReactNode } from "react";
import { RefusedError } from "#api/api-error.ts";
import { Button } from "#ui/button.tsx";
import { Spinner, StatusDot } from "#ui/indicators.tsx";
import { type CheckWords, explainCheck, type Offer } from "./check-words.ts";
import type { CheckState, Checks, Half } from "./checks.ts";

interface CheckListProps {
  checks: Checks;
  /** The person presses the button beside a problem. */
  onOffer: (half: Half, offer: Offer) => void;
}

/** Both checks with their results: what answered, with how many models, how fast; or what is wrong and what to do. */
export function CheckList({ checks, onOffer }: CheckListProps) {
  const isSame = isSaidAlready(checks);
  return (
    <ul
      aria-label="Checks"
      aria-live="polite"
      className="m-0 flex list-none flex-col gap-2 rounded-md border border-line bg-panel p-3.5"
    >
      <Check name="Queue" half="queue" checks={checks} onOffer={onOffer} />
      <Check name="Text" half="inference" checks={checks} onOffer={onOffer} isSame={isSame} />
    </ul>
  );
}

interface CheckProps extends CheckListProps {
  name: string;
  half: Half;
  /** The other check has said why already. */
  isSame?: boolean;
}

function Check({ name, half, checks, onOffer, isSame = false }: CheckProps) {
  const state = checks[half];
  return (
    <li className="grid grid-cols-[14px_1fr_auto] items-start gap-x-2.5">
      <span className="flex h-5 items-center">
        <Sign state={state} />
      </span>
      {state.phase === "running" && <span className="text-ink-2">{name}: checking</span>}
      {state.phase === "ok" && (
        <>
          <span>
            {name}, {countText(state.count)}
          </span>
          <span className="text-ink-3 tabular-nums">{state.tookMs} ms</span>
        </>
      )}
      {"error" in state && (
        <div className="col-span-2 min-w-0">
          {isSame ? (
            <span>{name}: The same</span>
          ) : (
            <Problem name={name} half={half} state={state} checks={checks} onOffer={onOffer} />
          )}
        </div>
      )}
    </li>
  );
}

export function countText(count: number): string {
  return `${count} ${count === 1 ? "model" : "models"}`;
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

/** Why a check did not end well, and what to do: in one line of the list, with the act that may cure it. */
function Problem({
  name,
  half,
  state,
  checks,
  onOffer,
}: CheckProps & { state: Extract<CheckState, { error: unknown }> }) {
  const { error } = state;
  const words = explainCheck(half, state, checks);
  return (
    <>
      <span>
        {name}: {words.title}
      </span>
      {error instanceof RefusedError && error.hostReason === undefined && (
        <span className="text-ink-3 tabular-nums"> {error.status}</span>
      )}
      <p className="wrap-anywhere m-0 text-ink-2">{nextWords(words, state)}</p>
      <OfferButton half={half} words={words} onOffer={onOffer} className="mt-1.5" />
    </>
  );
}

/** What happened beyond the title, and what to do now. */
export function nextWords({ body, nextStep }: CheckWords, state: CheckState): string {
  const next = state.phase === "waiting" ? `Trying again in ${(state.retryInMs / 1000).toFixed(1)} s.` : nextStep;
  return body === "" ? next : `${body} ${next}`;
}

export function OfferButton({
  half,
  words: { offer },
  onOffer,
  className,
}: {
  half: Half;
  words: CheckWords;
  onOffer: CheckListProps["onOffer"];
  className?: string;
}): ReactNode {
  if (!offer) return null;
  return (
    <Button size="sm" className={className} onClick={() => onOffer(half, offer)}>
      {offer.kind === "swap" ? "Swap them" : `Use ${offer.host}`}
    </Button>
  );
}

/** Whether both checks failed for one reason, which is said once. */
export function isSaidAlready(checks: Checks): boolean {
  const { queue, inference } = checks;
  if (queue.phase !== "failed" || inference.phase !== "failed") return false;
  const [first, second] = [explainCheck("queue", queue, checks), explainCheck("inference", inference, checks)];
  return first.title === second.title && nextWords(first, queue) === nextWords(second, inference);
}
