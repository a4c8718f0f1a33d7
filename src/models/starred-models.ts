import { create } from "zustand";
import { persist } from "zustand/middleware";
import { asRecord, asTexts } from "#lib/read.ts";
import { persistAt } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

interface StarredState {
  modelIds: string[];
}

const MAX_STARRED = 500;

const useStarredStore = create<StarredState>()(
  persist((): StarredState => ({ modelIds: [] }), {
    ...persistAt(KEYS.starred),
    version: 1,
    // Stored data is untrusted: takes only texts, each once, and not too many.
    merge: (stored) => ({ modelIds: readModelIds(stored) }),
  }),
);

/** Ids of the starred models, the latest first. Stored on this device. */
export function useStarredModels(): string[] {
  return useStarredStore((state) => state.modelIds);
}

/** Stars a model, or takes its star away. */
export function toggleStar(modelId: string): void {
  useStarredStore.setState(({ modelIds }) => ({
    modelIds: modelIds.includes(modelId)
      ? modelIds.filter((id) => id !== modelId)
      : [modelId, ...modelIds].slice(0, MAX_STARRED),
  }));
}

function readModelIds(stored: unknown): string[] {
  const ids = asTexts(asRecord(stored).modelIds).filter((id) => id !== "");
  return [...new Set(ids)].slice(0, MAX_STARRED);
}
