import { create } from "zustand";
import { isMediaDeleted } from "../deleted-media.ts";
import { embedSettings } from "../metadata/embed-settings.ts";
import { nameTemplate } from "../name-template-store.ts";
import { bulkEntries } from "./bulk-entries.ts";
import type { BulkFailure, BulkFile } from "./bulk-job.ts";
import { pickZipTarget, saveZip } from "./save-zip.ts";

export type BulkRun =
  | { phase: "idle" }
  | { phase: "reading"; jobs: number; stop: () => void }
  | { phase: "running"; total: number; done: number; failed: number; stop: () => void }
  | { phase: "done"; saved: number; failures: readonly BulkFailure[]; name: string }
  | { phase: "broken"; reason: string };

/** The one zip under way, shown wherever a person goes meanwhile. */
export const useBulkRun = create<{ run: BulkRun }>(() => ({ run: { phase: "idle" } }));

const show = (run: BulkRun) => useBulkRun.setState({ run });

/** Forgets the last zip. */
export function dismissBulk(): void {
  show({ phase: "idle" });
}

/** Files, or how to find out which: that may take a while, and tells how many jobs it has read. */
export type WantedFiles =
  | readonly BulkFile[]
  | ((signal: AbortSignal, onRead: (jobs: number) => void) => Promise<readonly BulkFile[]>);

async function listed(list: Exclude<WantedFiles, readonly BulkFile[]>, controller: AbortController) {
  const onRead = (jobs: number) => show({ phase: "reading", jobs, stop: () => controller.abort() });
  onRead(0);
  return list(controller.signal, onRead);
}

/**
 * Downloads files as one zip. Call it from a press: the browser may ask where to put it. What could not be had is told at
 * the end, to be retried alone.
 */
export async function startBulk(wanted: WantedFiles): Promise<void> {
  const { phase } = useBulkRun.getState().run;
  if (phase === "running" || phase === "reading") return;
  if (typeof wanted !== "function" && wanted.length === 0) return;
  const name = zipName();
  const target = await pickZipTarget(name);
  if (!target) return;
  const controller = new AbortController();
  const failures: BulkFailure[] = [];
  const stop = () => controller.abort();
  try {
    const files = typeof wanted === "function" ? await listed(wanted, controller) : wanted;
    const total = files.length;
    if (total === 0) return show({ phase: "broken", reason: "None of these jobs has a file. Nothing was saved." });
    show({ phase: "running", total, done: 0, failed: 0, stop });
    const entries = bulkEntries({
      files,
      template: nameTemplate(),
      failures,
      signal: controller.signal,
      isDeleted: isMediaDeleted,
      finish: ({ blob, extension }, { job }) => {
        const { model, payload, requestId } = job;
        return model && payload ? embedSettings(blob, extension, { model, payload, requestId }) : Promise.resolve(blob);
      },
      onProgress: (done, failed) => show({ phase: "running", total, done, failed, stop }),
    });
    await saveZip(entries, name, target);
    show({ phase: "done", saved: total - failures.length, failures, name });
  } catch (error) {
    if (controller.signal.aborted) return dismissBulk();
    show({ phase: "broken", reason: error instanceof Error ? error.message : "No reason was given." });
  }
}

function zipName(): string {
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  return `safelight-${day.join("-")}.zip`;
}
