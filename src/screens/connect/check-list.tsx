import type { ReactNode } from "react";
import { RefusedError } from "#api/api-error.ts";
import { explainError } from "#api/explain-error.ts";
import type { ProbeResult } from "#connection/probe-storage.ts";
import { Spinner, StatusDot } from "#ui/indicators.tsx";
import type { CheckState, Checks } from "./checks.ts";

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
      {error instanceof RefusedError && <span className="text-ink-3 tabular-nums"> {error.status}</span>}
      <p className="wrap-anywhere m-0 text-ink-2">
        {body} {nextAct ?? nextStep}
      </p>
    </>
  );
}

/** How uploads and downloads travel, shown only where the page cannot do it by itself. */
function StorageCheck({
  storage,
  onWhy,
}: {
  storage: { upload: ProbeResult; media: ProbeResult };
  /** The person asks for the reason. */
  onWhy: () => void;
}) {
  const relayed = partsBy(storage, "relay");
  const blocked = partsBy(storage, "blocked");
  return (
    <>
      {relayed !== "" && (
        <Line onWhy={onWhy} text={`Storage does not allow ${relayed} from this page; using the relay`} />
      )}
      {blocked !== "" && (
        <Line onWhy={onWhy} text={`Storage does not allow ${blocked} from this page`} why={BLOCKED_REASON[blocked]} />
      )}
    </>
  );
}

const BLOCKED_REASON: Record<string, string> = {
  uploads: "Give inputs as public addresses instead.",
  downloads: "Files open in a new tab, where they can be saved under the storage's own name.",
  "uploads and downloads": "Give inputs as public addresses. Files open in a new tab, where they can be saved.",
};

/** Whether there is a note about storage. */
export function hasStorageNote({ upload, media }: { upload: ProbeResult; media: ProbeResult }): boolean {
  return [upload, media].some((result) => result === "relay" || result === "blocked");
}

function Line({ text, why = RELAY_REASON, onWhy }: { text: string; why?: string | undefined; onWhy: () => void }) {
  return (
    <li className="grid grid-cols-[14px_1fr] items-start gap-x-2.5">
      <span className="flex h-5 items-center">
        <StatusDot tone="unconfirmed" label="Note:" />
      </span>
      <details onToggle={onWhy}>
        <summary className="flex cursor-pointer list-none gap-2.5">
          <span className="flex-1">{text}</span>
          <span className="text-ink-3 underline-offset-2 hover:underline">Why?</span>
        </summary>
        <p className="m-0 mt-1 text-ink-2">{why}</p>
      </details>
    </li>
  );
}

const RELAY_REASON =
  "The storage does not name this page in its CORS headers, so the browser keeps its answers from the page. This studio's own host fetches them instead and sends no key there.";

function partsBy({ upload, media }: { upload: ProbeResult; media: ProbeResult }, result: ProbeResult): string {
  return [upload === result && "uploads", media === result && "downloads"].filter(Boolean).join(" and ");
}
