import { create } from "zustand";

const STORAGE_KEY = "safelight.deleted-media";
const MOST_KEPT = 5000;

interface DeletedMedia {
  requestIds: ReadonlySet<string>;
}

// The job record says nothing about its media having been deleted (spec 4.1 rule 6), so this browser remembers.
const useStore = create<DeletedMedia>(() => ({ requestIds: new Set(readKept()) }));

/** Whether this browser has had the media of a job deleted. */
export function useIsMediaDeleted(requestId: string): boolean {
  return useStore((state) => state.requestIds.has(requestId));
}

/** The same, outside a component. */
export function isMediaDeleted(requestId: string): boolean {
  return useStore.getState().requestIds.has(requestId);
}

/** Remembers that the service has deleted the media of these jobs. */
export function markMediaDeleted(requestIds: string[]): void {
  const kept = [...new Set([...useStore.getState().requestIds, ...requestIds])].slice(-MOST_KEPT);
  useStore.setState({ requestIds: new Set(kept) });
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
  } catch {
    // Storage is full or closed: the mark lives until the page does, and the file then shows as gone.
  }
}

function readKept(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string").slice(-MOST_KEPT) : [];
  } catch {
    return [];
  }
}
