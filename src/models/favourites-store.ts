import { create } from "zustand";
import { persist } from "zustand/middleware";
import { asRecord, asTexts } from "#lib/read.ts";
import { persistAt } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

interface FavouritesState {
  modelIds: string[];
}

const MAX_FAVOURITES = 500;

const useFavouritesStore = create<FavouritesState>()(
  persist((): FavouritesState => ({ modelIds: [] }), {
    ...persistAt(KEYS.favourites),
    version: 1,
    // Stored data is untrusted: takes only texts, each once, and not too many.
    merge: (stored) => ({ modelIds: readModelIds(stored) }),
  }),
);

/** Ids of the starred models, the latest first. Stored on this device. */
export function useFavourites(): string[] {
  return useFavouritesStore((state) => state.modelIds);
}

/** Stars a model, or takes its star away. */
export function toggleFavourite(modelId: string): void {
  useFavouritesStore.setState(({ modelIds }) => ({
    modelIds: modelIds.includes(modelId)
      ? modelIds.filter((id) => id !== modelId)
      : [modelId, ...modelIds].slice(0, MAX_FAVOURITES),
  }));
}

function readModelIds(stored: unknown): string[] {
  const ids = asTexts(asRecord(stored).modelIds).filter((id) => id !== "");
  return [...new Set(ids)].slice(0, MAX_FAVOURITES);
}
