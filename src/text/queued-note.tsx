import { useStore } from "zustand";
import { QUEUED_WORDS, type ResponseRun } from "./answer.ts";

/** Shown while a response waits for other requests. Playground and Create share it; they do not import each other. */
export function QueuedNote({ run }: { run: ResponseRun }) {
  const phase = useStore(run.live, (live) => live.phase);
  if (phase !== "queued") return null;
  return (
    <p role="status" className="m-0 text-sm text-ink-2">
      {QUEUED_WORDS}
    </p>
  );
}
