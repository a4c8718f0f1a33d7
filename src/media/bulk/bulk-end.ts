import type { ToastInput } from "#ui/toast-store.ts";
import type { BulkFailure } from "./bulk-job.ts";

/** How a run ended. `retry` gets what could not be had, and only that. */
export type BulkEnd =
  | { phase: "done"; saved: number; failures: readonly BulkFailure[]; where: string; retry: () => void }
  | { phase: "broken"; reason: string; retry: () => void };

export function filesText(files: number): string {
  return files === 1 ? "1 file" : `${files.toLocaleString("en-US")} files`;
}

/** The end of a run in words, with its way to try again: for the panel, and for a toast where there is none. */
export function bulkEndText(end: BulkEnd): ToastInput & { tone: NonNullable<ToastInput["tone"]> } {
  if (end.phase === "broken") {
    const action = { label: "Try again", onAct: end.retry };
    return { tone: "error", title: "The files could not be saved", body: end.reason, action };
  }
  const { saved, failures, where, retry } = end;
  const title = `${filesText(saved)} saved ${where}`;
  if (failures.length === 0) return { tone: "success", title };
  const body = `${failures.length} could not be downloaded. They are listed in errors.txt.`;
  return { tone: "warning", title, body, action: { label: `Retry ${failures.length}`, onAct: retry } };
}
