import { clsx } from "clsx";
import { type Dispatch, type ReactNode, type SetStateAction, useEffect, useRef } from "react";
import { useUploadStore } from "#media/upload/upload-store.ts";
import { QueueButton } from "#queue/queue-sheet.tsx";
import type { Run } from "#runs/submit/submissions.ts";
import { Segmented } from "#ui/segmented.tsx";

export type CreatePane = "inputs" | "result" | "recent";

/**
 * On a phone, shows the result once a run is submitted, and the form again if the service did not accept it: the notice
 * about that stands above Run.
 */
export function useResultInView(pending: Run | undefined, setPane: Dispatch<SetStateAction<CreatePane>>): void {
  /** Whether this hook switched from the form to the result. */
  const hasSwitched = useRef(false);
  const lastPhase = useRef<string>(undefined);
  const phase = pending?.state.phase;
  const isSubmitted = pending?.state.phase === "sending" && pending.state.step === "sent";
  useEffect(() => {
    if (!isSubmitted) return;
    setPane((pane) => {
      hasSwitched.current = pane === "inputs";
      return "result";
    });
  }, [isSubmitted, setPane]);
  useEffect(() => {
    if (phase === undefined) {
      if (hasSwitched.current && lastPhase.current !== "accepted") setPane("inputs");
      hasSwitched.current = false;
    }
    lastPhase.current = phase;
  }, [phase, setPane]);
}

/** On a phone, shows what was pressed in the queue: the result of a job, or the field of an upload. */
export function useAskedPane(job: string | undefined, setPane: (pane: CreatePane) => void): void {
  const lastJob = useRef(job);
  const isFieldWanted = useUploadStore(({ wanted }) => wanted !== undefined);
  useEffect(() => {
    if (job !== undefined && job !== lastJob.current) setPane("result");
    lastJob.current = job;
  }, [job, setPane]);
  useEffect(() => {
    if (isFieldWanted) setPane("inputs");
  }, [isFieldWanted, setPane]);
}

const PANES = [
  { value: "inputs", label: "Inputs" },
  { value: "result", label: "Result" },
  { value: "recent", label: "Recent" },
] as const;

/** Three panes side by side; on a phone one at a time, chosen above. */
export function CreatePanes({
  pane,
  onPane,
  inputs,
  result,
  recent,
}: {
  pane: CreatePane;
  onPane: (pane: CreatePane) => void;
  inputs: ReactNode;
  result: ReactNode;
  recent: ReactNode;
}) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In a low window the page is still scrolled down to Run.
    if (pane === "result") root.current?.scrollIntoView?.();
  }, [pane]);
  const shown = (name: CreatePane) => (pane === name ? "flex" : "hidden");
  return (
    <div
      ref={root}
      className="flex h-full min-h-0 flex-col short:h-auto short:min-h-full lg:grid lg:grid-cols-[--spacing(96)_minmax(0,1fr)_--spacing(37)]"
    >
      <div className="flex items-center gap-2.5 border-line border-b bg-panel px-4 py-3 max-[22.4375rem]:px-2 lg:hidden">
        <Segmented label="View" options={PANES} value={pane} onChange={onPane} className="min-w-0 flex-1" />
        {/* On wider screens the queue is in the rail. */}
        <span className="md:hidden">
          <QueueButton />
        </span>
      </div>
      <section
        aria-label="Inputs"
        className={clsx("min-h-0 flex-1 flex-col bg-panel lg:flex lg:border-line lg:border-r", shown("inputs"))}
      >
        {inputs}
      </section>
      <section aria-label="Result" className={clsx("min-h-0 min-w-0 flex-1 flex-col lg:flex", shown("result"))}>
        {result}
      </section>
      <section
        aria-label="Recent jobs"
        className={clsx(
          "min-h-0 flex-1 flex-col overflow-y-auto short:overflow-visible lg:flex lg:border-line lg:border-l",
          shown("recent"),
        )}
      >
        {recent}
      </section>
    </div>
  );
}
