import { useCallback, useSyncExternalStore } from "react";
import type { AnswerRun } from "#chat/answer-run.ts";
import { GrowingText } from "./answer-text.tsx";
import { StatsLine } from "./stats-line.tsx";

/** An answer that is coming: its reasoning folded, its text as it grows, and what is measured so far. */
export function LiveAnswer({ run }: { run: AnswerRun }) {
  const subscribe = useCallback((listener: () => void) => run.subscribe(listener), [run]);
  const phase = useSyncExternalStore(subscribe, run.phase);
  const facts = useSyncExternalStore(subscribe, run.facts);
  return (
    <div aria-busy={phase !== "over"}>
      {(phase === "waiting" || phase === "retrying") && run.text.text() === "" && (
        <p className="m-0 text-ink-3">
          {phase === "retrying" ? "Refused for the moment. It is sent again." : "Waiting for the first token"}
        </p>
      )}
      {run.reasoning.text() !== "" && (
        <details className="mb-3 max-w-[66ch] rounded-md border border-line px-3 py-2 text-ink-2">
          <summary className="cursor-pointer text-[12.5px]">{phase === "reasoning" ? "Reasoning" : "Reasoned"}</summary>
          <div className="mt-2 text-[13px]">
            <GrowingText source={run.reasoning} />
          </div>
        </details>
      )}
      <div className={phase === "answering" ? "md-caret" : ""}>
        <GrowingText source={run.text} />
      </div>
      <div className="flex min-h-7 items-center pt-1">
        <StatsLine facts={facts} />
      </div>
    </div>
  );
}
