import { create } from "zustand";
import { isRecord } from "#lib/json.ts";
import { openRows } from "#storage/database.ts";
import { type RowKind, readOne, removeOne, saveOne } from "#storage/typed-rows.ts";
import { type FolderHandle, pickFolder } from "./folder-handle.ts";

interface FolderState {
  /** `asking`: after a restart the browser wants a press before it lets the page write again. */
  phase: "opening" | "none" | "asking" | "ready";
  folder: FolderHandle | undefined;
}

const useStore = create<FolderState>(() => ({ phase: "opening", folder: undefined }));

// Of the browser as a whole: whichever key made a file, it goes to the same folder. An export carries no handle.
const KEY = "archive-folder";
const rowKind: RowKind<{ folder: FolderHandle }> = {
  store: "settings",
  version: 1,
  read: (body) => (isRecord(body) && isFolder(body.folder) ? { folder: body.folder } : undefined),
};
const WRITING = { mode: "readwrite" } as const;

/** The folder that files are archived into, and whether the page may write there now. */
export function useArchiveFolder(): FolderState {
  return useStore();
}

/** The folder, where the page may write there now. Opens what was kept, the first time. */
export async function archiveFolder(): Promise<FolderHandle | undefined> {
  if (useStore.getState().phase === "opening") await openKept();
  const { phase, folder } = useStore.getState();
  return phase === "ready" ? folder : undefined;
}

/** Lets the person choose a folder, and keeps it. Whether one was chosen. Throws what the browser throws. */
export async function chooseArchiveFolder(): Promise<boolean> {
  const folder = await pickFolder();
  if (!folder) return false;
  useStore.setState({ phase: "ready", folder });
  // Where it cannot be kept it is this page's alone.
  await saveOne(rowKind, "", KEY, { folder }).catch(() => undefined);
  return true;
}

/** Asks again for the leave to write. Call it from a press. */
export async function allowArchiveFolder(): Promise<void> {
  const { folder } = useStore.getState();
  const answer = await folder?.requestPermission?.(WRITING);
  if (answer === "granted") useStore.setState({ phase: "ready" });
}

/** The folder could not be written: it may have been moved, or the leave taken back. */
export function loseArchiveFolder(): void {
  useStore.setState({ phase: "asking" });
}

/** Forgets the folder. What was saved there stays there. */
export async function forgetArchiveFolder(): Promise<void> {
  useStore.setState({ phase: "none", folder: undefined });
  await removeOne(rowKind.store, KEY);
}

async function openKept(): Promise<void> {
  const kept = await readKept().catch((): FolderState => ({ phase: "none", folder: undefined }));
  // A folder that the person chose while this was read is the one that counts.
  if (useStore.getState().phase === "opening") useStore.setState(kept);
}

async function readKept(): Promise<FolderState> {
  const kept = await readOne(await openRows(), rowKind, KEY);
  if (!kept) return { phase: "none", folder: undefined };
  const answer = (await kept.folder.queryPermission?.(WRITING)) ?? "granted";
  return { phase: answer === "granted" ? "ready" : "asking", folder: kept.folder };
}

function isFolder(value: unknown): value is FolderHandle {
  return isRecord(value) && typeof value.getFileHandle === "function" && typeof value.name === "string";
}
