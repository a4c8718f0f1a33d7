import { create } from "zustand";
import { isRecord } from "#lib/read.ts";
import { openRows } from "#storage/database.ts";
import { type RowKind, readOne, removeOne, saveOne } from "#storage/typed-rows.ts";

interface FolderState {
  /** `asking`: after a restart the browser wants a press before it lets the page write again. */
  phase: "opening" | "none" | "asking" | "ready";
  folder: FolderHandle | undefined;
}

const useStore = create<FolderState>(() => ({ phase: "opening", folder: undefined }));

// One row for the whole browser: the files of all accounts go to one folder. An export does not contain the handle.
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

/** The folder, where the page may write there now; else undefined. The first call reads the stored one. */
export async function archiveFolder(): Promise<FolderHandle | undefined> {
  if (useStore.getState().phase === "opening") await openStored();
  const { phase, folder } = useStore.getState();
  return phase === "ready" ? folder : undefined;
}

/** Whether a folder was chosen, whether or not the page may write there now. */
export function hasArchiveFolder(): boolean {
  return useStore.getState().folder !== undefined;
}

/** Lets the person choose a folder, and stores it. Returns whether one was chosen. @throws what the browser throws. */
export async function chooseArchiveFolder(): Promise<boolean> {
  const folder = await pickFolder();
  if (!folder) return false;
  useStore.setState({ phase: "ready", folder });
  // Where it cannot be stored, it is known to this page alone.
  await saveOne(rowKind, "", KEY, { folder }).catch(() => undefined);
  return true;
}

/** Asks again for permission to write. Call it from a press. @throws what the browser throws. */
export async function allowArchiveFolder(): Promise<void> {
  const { folder } = useStore.getState();
  const answer = await folder?.requestPermission?.(WRITING);
  if (answer === "granted") useStore.setState({ phase: "ready" });
}

/** Notes that the folder could not be written: it may have been moved, or the permission withdrawn. */
export function loseArchiveFolder(): void {
  useStore.setState({ phase: "asking" });
}

/** Forgets the folder. What was saved there stays there. Rejects where the database cannot be written. */
export async function forgetArchiveFolder(): Promise<void> {
  useStore.setState({ phase: "none", folder: undefined });
  await removeOne(rowKind, KEY);
}

async function openStored(): Promise<void> {
  const stored = await readStored().catch((): FolderState => ({ phase: "none", folder: undefined }));
  // A folder that the person chose meanwhile wins.
  if (useStore.getState().phase === "opening") useStore.setState(stored);
}

async function readStored(): Promise<FolderState> {
  const stored = await readOne(await openRows(), rowKind, KEY);
  if (!stored) return { phase: "none", folder: undefined };
  const answer = (await stored.folder.queryPermission?.(WRITING)) ?? "granted";
  return { phase: answer === "granted" ? "ready" : "asking", folder: stored.folder };
}

function isFolder(value: unknown): value is FolderHandle {
  return isRecord(value) && typeof value.getFileHandle === "function" && typeof value.name === "string";
}

/** The parts that are used of a `FileSystemDirectoryHandle`, which not every browser or version of TypeScript has. */
export interface FolderHandle {
  name: string;
  getFileHandle(name: string, options?: { create?: boolean }): Promise<FolderFile>;
  removeEntry(name: string): Promise<void>;
  queryPermission?(options: { mode: "readwrite" }): Promise<PermissionState>;
  requestPermission?(options: { mode: "readwrite" }): Promise<PermissionState>;
}

export interface FolderFile {
  getFile(): Promise<File>;
  createWritable(): Promise<WritableStream<Uint8Array>>;
}

type Picker = (options: { id: string; mode: "readwrite"; startIn: "pictures" }) => Promise<FolderHandle>;

function picker(): Picker | undefined {
  return (globalThis as { showDirectoryPicker?: Picker }).showDirectoryPicker;
}

/** Whether this browser lets a page write into a folder of the person's choice. */
export function canPickFolder(): boolean {
  return picker() !== undefined;
}

/**
 * Asks for a folder. Call it from a press. Undefined: the person changed their mind. @throws what the browser throws.
 */
export async function pickFolder(): Promise<FolderHandle | undefined> {
  try {
    return await picker()?.({ id: "safelight", mode: "readwrite", startIn: "pictures" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    throw error;
  }
}
