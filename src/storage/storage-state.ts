import { create } from "zustand";

/**
 * How the browser stores our rows.
 * `durable`: on the disk. `memory`: for the life of this page only. `blocked`: an older tab holds the database open.
 * `newer`: the data was written by a newer version of Safelight, so this page only reads. `replaced`: a newer tab has
 * taken the database over. `full`: the last write found no space.
 */
export type StorageKind = "opening" | "durable" | "memory" | "blocked" | "newer" | "replaced" | "full";

interface StorageState {
  kind: StorageKind;
  /** Rows that could not be read and were put aside. */
  quarantined: number;
  /** Rows that a newer version wrote, or rows of money that cannot be read: they stay as they are. */
  newerRows: number;
  /** How often the rows vanished under this page: deleted by the person, or by the browser to make room. */
  losses: number;
  /** How often the database was deleted or closed under this page, also where its rows are still there. */
  closures: number;
  /** The person accepted, for this page, that runs are recorded in memory alone. */
  memoryAccepted: boolean;
}

export const useStorageState = create<StorageState>(() => ({
  kind: "opening",
  quarantined: 0,
  newerRows: 0,
  losses: 0,
  closures: 0,
  memoryAccepted: false,
}));

/** Sets how the rows are stored, for the notices on the screen. */
export function setStorageKind(kind: StorageKind): void {
  useStorageState.setState({ kind });
}

const newerRowCounts = new Map<string, number>();

/** Counts the rows of one part of the database that a newer version wrote, as of its last reading. */
export function noteNewerRows(part: string, count: number): void {
  if ((newerRowCounts.get(part) ?? 0) === count) return;
  newerRowCounts.set(part, count);
  const newerRows = [...newerRowCounts.values()].reduce((sum, some) => sum + some, 0);
  useStorageState.setState({ newerRows });
}

/** Sets the state as it was before anything was opened. For tests. */
export function resetStorageState(): void {
  newerRowCounts.clear();
  useStorageState.setState({ kind: "opening", newerRows: 0, losses: 0 });
}

/** The person accepts that what is sent from this page is forgotten with it. */
export function acceptMemoryMode(): void {
  useStorageState.setState({ memoryAccepted: true });
}

let hasAsked = false;

/**
 * Asks the browser not to clear our rows when space runs out. It asks once, after the first accepted submit: by then
 * there is something to lose. Nothing else depends on the answer.
 */
export async function requestPersistence(): Promise<void> {
  if (hasAsked) return;
  hasAsked = true;
  try {
    if (!(await navigator.storage?.persisted?.())) await navigator.storage?.persist?.();
  } catch {
    // Not offered here: the browser may clear the rows when it likes.
  }
}
