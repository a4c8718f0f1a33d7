import { create } from "zustand";
import { isMediaDeleted } from "../deleted-media.ts";
import { embedSettings } from "../metadata/embed-settings.ts";
import { pickZipTarget, saveZip } from "./save-zip.ts";
import { zipEntries } from "./zip-entries.ts";
import type { ZipFailure, ZipFile } from "./zip-job.ts";

export type ZipRun =
  | { phase: "idle" }
  | { phase: "running"; total: number; done: number; failed: number; stop: () => void }
  | { phase: "done"; saved: number; failures: readonly ZipFailure[]; name: string }
  | { phase: "broken"; reason: string };

/** The one zip under way, shown wherever a person goes meanwhile. */
export const useZipRun = create<{ run: ZipRun }>(() => ({ run: { phase: "idle" } }));

const show = (run: ZipRun) => useZipRun.setState({ run });

/** Forgets the last zip. */
export function dismissZip(): void {
  show({ phase: "idle" });
}

/**
 * Downloads files as one zip. Call it from a press: the browser may ask where to put it. What could not be had is told at
 * the end, to be retried alone.
 */
export async function startZip(files: readonly ZipFile[], template?: string): Promise<void> {
  if (useZipRun.getState().run.phase === "running" || files.length === 0) return;
  const name = zipName();
  const target = await pickZipTarget(name);
  if (!target) return;
  const controller = new AbortController();
  const failures: ZipFailure[] = [];
  const total = files.length;
  const stop = () => controller.abort();
  show({ phase: "running", total, done: 0, failed: 0, stop });
  try {
    const entries = zipEntries({
      files,
      template,
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
    if (controller.signal.aborted) return dismissZip();
    show({ phase: "broken", reason: error instanceof Error ? error.message : "No reason was given." });
  }
}

function zipName(): string {
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  return `safelight-${day.join("-")}.zip`;
}
