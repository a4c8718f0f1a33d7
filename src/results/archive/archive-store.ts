import { create } from "zustand";
import { persist } from "zustand/middleware";
import { isRecord } from "#lib/read.ts";
import { persistAt } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

interface ArchiveState {
  /** Finished jobs are saved into the folder by themselves. */
  isOn: boolean;
  /** Jobs whose files were saved since the page was opened. */
  saved: number;
  /** Jobs whose files could not be saved since the page was opened, with the last reason. */
  failed: number;
  reason: string | undefined;
}

const useStore = create<ArchiveState>()(
  persist((): ArchiveState => ({ isOn: false, saved: 0, failed: 0, reason: undefined }), {
    ...persistAt(KEYS.archive),
    version: 1,
    partialize: ({ isOn }) => ({ isOn }) as ArchiveState,
    // What storage gives back is untrusted.
    merge: (stored, initial) => ({ ...initial, isOn: isRecord(stored) && stored.isOn === true }),
  }),
);

/** Whether finished jobs are archived, and how it went since the page was opened. */
export function useArchive(): ArchiveState {
  return useStore();
}

/** Whether finished jobs are archived, outside a component. */
export function isArchiving(): boolean {
  return useStore.getState().isOn;
}

/** Turns archiving on or off, on this device. Where the storage refuses, the choice counts until a reload. */
export function setArchiving(isOn: boolean): void {
  useStore.setState({ isOn, failed: 0, reason: undefined });
}

/** Counts a job whose files are in the folder. */
export function noteArchived(): void {
  useStore.setState(({ saved }) => ({ saved: saved + 1 }));
}

/** Counts a job whose files could not be saved, with the reason for the settings. */
export function noteNotArchived(reason: string): void {
  useStore.setState(({ failed }) => ({ failed: failed + 1, reason }));
}
