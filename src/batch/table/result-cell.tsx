import { Link } from "@tanstack/react-router";
import { RUN_AGAIN_TWICE } from "#api/charge-words.ts";
import { itemCharge } from "#batch/runner/batch-words.ts";
import { attemptsMoney, canRetry } from "#batch/runner/item-states.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { formatClock, formatElapsed } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useNow } from "#results/waiting/use-now.ts";
import { CHECKING } from "#runs/submit/submit-words.ts";
import type { RunRowProps } from "./row-props.ts";

const ACT =
  "relative ms-2.5 shrink-0 cursor-pointer border-0 bg-transparent p-0 font-medium text-ink underline decoration-line-strong underline-offset-[3px] after:absolute after:-inset-x-1 after:-inset-y-2";

/** What came of a run, or what keeps it from being run, with the one act that follows. */
export function ResultCell({
  view,
  job,
  problem,
  acts,
  number,
}: Pick<RunRowProps, "view" | "job" | "problem" | "acts" | "number">) {
  const { item, state } = view;
  const open = (requestId: string) => (
    <Link
      to="/jobs/$requestId"
      params={{ requestId }}
      preload={false}
      tabIndex={-1}
      aria-label={`Open the job of run ${number}`}
      className={ACT}
    >
      Open
    </Link>
  );
  const act = (word: string, run: () => void, more = "") => (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`${word} run ${number}${more}`}
      title={more === "" ? undefined : `${word}${more}`}
      className={ACT}
      onClick={run}
    >
      {word}
    </button>
  );
  const retry = () => {
    if (!canRetry(state)) return null;
    const price = ` for ${formatMicroUsd(item.priceMicroUsd ?? 0)}`;
    const doubt = attemptsMoney(view).possible > 0 ? `. ${RUN_AGAIN_TWICE}` : "";
    return act("Retry", () => acts.retry(item.id), `${price}${doubt}`);
  };
  if (state.kind === "draft") {
    if (problem === undefined) return item.source ? <Words>From a result</Words> : null;
    return (
      <>
        <Words title={problem}>{problem}</Words>
        {act("Fix", () => acts.fix(item.id))}
      </>
    );
  }
  const tries = (item.earlierIntentIds?.length ?? 0) + 1;
  const charge = itemCharge(view);
  switch (state.kind) {
    case "waiting":
      return <Words>{[tries > 1 && `Attempt ${tries}`, charge].filter(Boolean).join(" · ")}</Words>;
    case "sending":
      return <Words>Waiting for a reply</Words>;
    case "unconfirmed":
      return <Words title={titleOf(charge, CHECKING)}>{charge ?? CHECKING}</Words>;
    case "input-deleted":
      return <Words>{charge ?? "Not submitted"}</Words>;
    case "absent":
    case "refused": {
      const said = state.kind === "refused" ? state.refusal.message : undefined;
      // A doubt comes first, since the end of the line may be cut.
      const words = [attemptsMoney(view).possible > 0 && charge, said, charge].filter((text) => text);
      return (
        <>
          <Words title={titleOf(charge, said)}>{[...new Set(words)].join(" · ")}</Words>
          {retry()}
        </>
      );
    }
    case "sent": {
      if (state.isRunning) {
        return <Elapsed sinceMs={job?.submittedAtMs} />;
      }
      const took =
        job?.finishedAtMs === undefined ? undefined : formatElapsed(Math.max(0, job.finishedAtMs - job.submittedAtMs));
      const isFailed = state.status !== "success";
      const words = isFailed ? (charge ?? "No result") : (took ?? "");
      return (
        <>
          <Words title={isFailed ? titleOf(charge, job?.failureReason) : undefined}>{words}</Words>
          {isFailed ? retry() : open(state.requestId)}
        </>
      );
    }
  }
}

/** In full what is cut in a narrow cell. */
const titleOf = (...texts: (string | undefined)[]) => [...new Set(texts)].filter(Boolean).join("\n");

function Words({ title, children }: { title?: string | undefined; children: string }) {
  const words = visibleLine(children, 300);
  return (
    <span
      dir="auto"
      title={title === undefined ? undefined : visibleLine(title, 500)}
      className="min-w-0 flex-1 truncate text-ink-3 tabular-nums"
    >
      {words}
    </span>
  );
}

/** A clock of its own, so that a second that passes renders nothing else. */
function Elapsed({ sinceMs }: { sinceMs: number | undefined }) {
  const now = useNow();
  return <Words>{sinceMs === undefined ? "" : formatClock(Math.max(0, now - sinceMs))}</Words>;
}
