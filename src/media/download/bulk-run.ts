import { create } from "zustand";
import { counted } from "#lib/numbers.ts";
import { type ToastInput, toast } from "#ui/toast-store.ts";
import {
  allowArchiveFolder,
  archiveFolder,
  chooseArchiveFolder,
  type FolderHandle,
  hasArchiveFolder,
  pickFolder,
} from "./archive-folder.ts";
import { type BulkEntries, type BulkFailure, type BulkFile, bulkEntries } from "./bulk-entries.ts";
import { nameTemplate } from "./file-name.ts";
import { saveInFolder } from "./save-in-folder.ts";
import { pickZipTarget, saveZip } from "./save-zip.ts";

type BulkRun =
  | { phase: "idle" }
  | { phase: "reading"; jobs: number; stop: () => void }
  /** `isWaiting`: for a free connection. */
  | { phase: "running"; total: number; done: number; failed: number; isWaiting?: boolean; stop: () => void }
  | BulkEnd;

/** The one run under way; it goes on while a person looks at something else. */
export const useBulkRun = create<{ run: BulkRun }>(() => ({ run: { phase: "idle" } }));

let mountedPanels = 0;

/** Notes that a panel shows the run, until the returned function is called. */
export function mountBulkPanel(): () => void {
  mountedPanels += 1;
  return () => {
    mountedPanels -= 1;
  };
}

// Without a mounted panel the end is shown in a toast.
function show(run: BulkRun): void {
  useBulkRun.setState({ run });
  if (mountedPanels === 0 && (run.phase === "done" || run.phase === "broken")) toast(bulkEndText(run));
}

/** Forgets the last run. */
export function dismissBulk(): void {
  show({ phase: "idle" });
}

/** Files, or a function that finds them, which may take a while and reports how many jobs it has read. */
export type WantedFiles =
  | readonly BulkFile[]
  | ((signal: AbortSignal, onRead: (jobs: number) => void) => Promise<readonly BulkFile[]>);

/**
 * Downloads many files, as one zip or into a folder. Call it from a press: the browser may ask where. Files that could
 * not be downloaded are listed at the end and can be retried alone. A folder run that broke off can be started again:
 * what is there is not written twice. `onSaved` gets, at the end, the ids of the jobs with missing files. A failure is
 * the state of the run, not a rejection.
 */
export async function startBulk(
  wanted: WantedFiles,
  place: BulkPlace = "zip",
  onSaved?: (failed: readonly string[]) => void,
): Promise<void> {
  const { phase } = useBulkRun.getState().run;
  if (phase === "running" || phase === "reading") return;
  if (typeof wanted !== "function" && wanted.length === 0) return;
  const retry = () => void startBulk(wanted, place, onSaved);
  try {
    const target = await pickBulkTarget(place);
    if (target) await run(wanted, place, target, onSaved);
  } catch (error) {
    show({ phase: "broken", reason: writeFailureText(error), retry });
  }
}

async function run(
  wanted: WantedFiles,
  place: BulkPlace,
  target: BulkTarget,
  onSaved?: (failed: readonly string[]) => void,
): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const failures: BulkFailure[] = [];
  const stop = () => controller.abort();
  let saved = 0;
  try {
    const files = typeof wanted === "function" ? await filesFrom(wanted, controller) : wanted;
    const total = files.length;
    if (total === 0) throw new Error("These jobs have no files.");
    const onProgress = (done: number, failed: number) => {
      saved = done - failed;
      show({ phase: "running", total, done, failed, stop });
    };
    onProgress(0, 0);
    const onWait = (isWaiting: boolean) => {
      const { run } = useBulkRun.getState();
      if (run.phase === "running") show({ ...run, isWaiting });
    };
    await target.write(bulkEntries({ files, template: nameTemplate(), failures, signal, onProgress, onWait }));
    // A retry writes into the same folder, but into another zip, for which the browser asks again.
    const retry = () => void (place === "zip" ? startBulk(failures) : retryInFolder(failures, target));
    onSaved?.(failures.map(({ job }) => job.requestId));
    show({ phase: "done", saved, failures, where: target.where, retry });
  } catch (error) {
    if (!signal.aborted) throw error;
    // A zip that was stopped is no zip; in a folder the files written so far stay.
    if (place === "zip" || saved === 0) return dismissBulk();
    show({ phase: "done", saved, failures: [], where: target.where, retry: dismissBulk });
  }
}

async function retryInFolder(failures: readonly BulkFailure[], target: BulkTarget): Promise<void> {
  await run(failures, "folder", target).catch((error) => {
    show({ phase: "broken", reason: writeFailureText(error), retry: () => void startBulk(failures, "folder") });
  });
}

async function filesFrom(list: Exclude<WantedFiles, readonly BulkFile[]>, controller: AbortController) {
  const onRead = (jobs: number) => show({ phase: "reading", jobs, stop: () => controller.abort() });
  onRead(0);
  return list(controller.signal, onRead);
}

/** How a run ended. `retry` downloads only what failed. */
export type BulkEnd =
  | { phase: "done"; saved: number; failures: readonly BulkFailure[]; where: string; retry: () => void }
  | { phase: "broken"; reason: string; retry: () => void };

/**
 * The end of a run in words, with its way to try again: for the panel, and for a toast where no panel is shown.
 */
export function bulkEndText(end: BulkEnd): ToastInput & { tone: NonNullable<ToastInput["tone"]> } {
  if (end.phase === "broken") {
    const action = { label: "Try again", onAct: end.retry };
    return { tone: "error", title: "Couldn’t save the files", body: end.reason, action };
  }
  const { saved, failures, where, retry } = end;
  const title = `${counted(saved, "file")} saved ${where}`;
  if (failures.length === 0) return { tone: "success", title };
  const body = `${counted(failures.length, "file")} couldn’t be downloaded. See errors.txt.`;
  return { tone: "warning", title, body, action: { label: "Try again", onAct: retry } };
}

// Where many files go: into one zip, or as they are into a folder that the person chooses now, or chose for the
// archive.
type BulkPlace = "zip" | "folder" | "archive";

interface BulkTarget {
  /** The place in words: "as safelight.zip", "to Pictures". */
  where: string;
  write(entries: BulkEntries): Promise<void>;
}

// Undefined: the person was asked for a place and canceled.
async function pickBulkTarget(place: BulkPlace): Promise<BulkTarget | undefined> {
  if (place !== "zip") {
    const folder = place === "archive" ? await archiveTarget() : await pickFolder();
    return folder && { where: `to ${folder.name}`, write: (entries) => saveInFolder(entries, folder) };
  }
  const name = zipName();
  const target = await pickZipTarget(name);
  return target && { where: `as ${name}`, write: (entries) => saveZip(entries, name, target) };
}

// The archive's folder. Asks the person where the browser needs a new permission, or where no folder was chosen yet.
async function archiveTarget(): Promise<FolderHandle | undefined> {
  const ready = await archiveFolder();
  if (ready) return ready;
  if (hasArchiveFolder()) await allowArchiveFolder();
  else await chooseArchiveFolder();
  return archiveFolder();
}

function zipName(): string {
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  return `safelight-${day.join("-")}.zip`;
}

const WRITE_PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: "The browser doesn’t allow writing to this folder.",
  SecurityError: "The browser doesn’t allow writing to this folder.",
  NotFoundError: "The folder no longer exists.",
  QuotaExceededError: "The disk is full.",
  NoModificationAllowedError: "Another program is using a file with that name.",
};

function writeFailureText(error: unknown): string {
  const known = error instanceof DOMException ? WRITE_PROBLEMS[error.name] : undefined;
  return known ?? (error instanceof Error ? error.message : "No reason was given.");
}
