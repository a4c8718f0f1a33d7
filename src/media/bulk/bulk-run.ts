import { create } from "zustand";
import { toast } from "#ui/toast-store.ts";
import { nameTemplate } from "../name-template-store.ts";
import { type BulkEnd, bulkEndText } from "./bulk-end.ts";
import { bulkEntries } from "./bulk-entries.ts";
import type { BulkFailure, BulkFile } from "./bulk-job.ts";
import { type BulkPlace, type BulkTarget, pickBulkTarget, writeFailureText } from "./bulk-target.ts";

export type BulkRun =
  | { phase: "idle" }
  | { phase: "reading"; jobs: number; stop: () => void }
  | { phase: "running"; total: number; done: number; failed: number; stop: () => void }
  | BulkEnd;

/** The one run under way; it goes on while a person looks at something else. */
export const useBulkRun = create<{ run: BulkRun }>(() => ({ run: { phase: "idle" } }));

let panels = 0;

/** A panel is on the screen that shows the run. Returns the way to take it away. */
export function attendBulk(): () => void {
  panels += 1;
  return () => {
    panels -= 1;
  };
}

/** The end of a run is told wherever the person is by then. */
function show(run: BulkRun): void {
  useBulkRun.setState({ run });
  if (panels === 0 && (run.phase === "done" || run.phase === "broken")) toast(bulkEndText(run));
}

/** Forgets the last run. */
export function dismissBulk(): void {
  show({ phase: "idle" });
}

/** Files, or how to find out which: that may take a while, and tells how many jobs it has read. */
export type WantedFiles =
  | readonly BulkFile[]
  | ((signal: AbortSignal, onRead: (jobs: number) => void) => Promise<readonly BulkFile[]>);

/**
 * Downloads many files, as one zip or into a folder. Call it from a press: the browser may ask where. What could not be
 * had is told at the end, to be retried alone; a folder that broke off goes on where it was, for what is there is not
 * written twice.
 */
export async function startBulk(wanted: WantedFiles, place: BulkPlace = "zip"): Promise<void> {
  const { phase } = useBulkRun.getState().run;
  if (phase === "running" || phase === "reading") return;
  if (typeof wanted !== "function" && wanted.length === 0) return;
  const retry = () => void startBulk(wanted, place);
  try {
    const target = await pickBulkTarget(place);
    if (target) await run(wanted, place, target);
  } catch (error) {
    show({ phase: "broken", reason: writeFailureText(error), retry });
  }
}

async function run(wanted: WantedFiles, place: BulkPlace, target: BulkTarget): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const failures: BulkFailure[] = [];
  const stop = () => controller.abort();
  let saved = 0;
  try {
    const files = typeof wanted === "function" ? await listed(wanted, controller) : wanted;
    const total = files.length;
    if (total === 0) throw new Error("None of these jobs has a file. Nothing was saved.");
    const onProgress = (done: number, failed: number) => {
      saved = done - failed;
      show({ phase: "running", total, done, failed, stop });
    };
    onProgress(0, 0);
    await target.write(bulkEntries({ files, template: nameTemplate(), failures, signal, onProgress }));
    // A folder is asked for once; another zip is another file.
    const retry = () => void (place === "folder" ? again(failures, target) : startBulk(failures));
    show({ phase: "done", saved, failures, where: target.where, retry });
  } catch (error) {
    if (!signal.aborted) throw error;
    // A zip that was stopped is none; a folder keeps what came.
    if (place === "zip" || saved === 0) return dismissBulk();
    show({ phase: "done", saved, failures: [], where: target.where, retry: dismissBulk });
  }
}

async function again(failures: readonly BulkFailure[], target: BulkTarget): Promise<void> {
  await run(failures, "folder", target).catch((error) => {
    show({ phase: "broken", reason: writeFailureText(error), retry: () => void startBulk(failures, "folder") });
  });
}

async function listed(list: Exclude<WantedFiles, readonly BulkFile[]>, controller: AbortController) {
  const onRead = (jobs: number) => show({ phase: "reading", jobs, stop: () => controller.abort() });
  onRead(0);
  return list(controller.signal, onRead);
}
