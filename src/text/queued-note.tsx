import { useStore } from "zustand";
import type { AnswerRun } from "./answer.ts";

/** Shown while an answer waits for a free connection. Playground and Create share it; they do not import each other. */
export function QueuedNote({ run }: { run: AnswerRun }) {
  const phase = useStore(run.live, (live) => live.phase);
  if (phase !== "queued") return null;
  return (
    <p role="status" className="m-0 text-sm text-ink-2">
      Waiting for a free connection. Not sent yet.
    </p>
  );
}
