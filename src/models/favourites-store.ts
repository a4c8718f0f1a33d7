import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import { isRecord } from "#lib/json.ts";
import { safeLocalStorage } from "#lib/safe-storage.ts";

interface FavouritesState {
  modelIds: string[];
}

const MOST_FAVOURITES = 500;

const useFavouritesStore = create<FavouritesState>()(
  persist((): FavouritesState => ({ modelIds: [] }), {
    name: "safelight.favourites",
    version: 1,
    storage: createJSONStorage(() => safeLocalStorage),
    // What storage gives back is untrusted: only texts, each once, not without end.
    merge: (stored) => ({ modelIds: readModelIds(stored) }),
  }),
);

/** Ids of the favourite models, the newest first. Kept on this device. */
export function useFavourites(): string[] {
  return useFavouritesStore((state) => state.modelIds);
}

/** Makes a model a favourite, or no longer one. */
export function toggleFavourite(modelId: string): void {
  useFavouritesStore.setState(({ modelIds }) => ({
    modelIds: modelIds.includes(modelId)
      ? modelIds.filter((id) => id !== modelId)
      : [modelId, ...modelIds].slice(0, MOST_FAVOURITES),
  }));
}

function readModelIds(stored: unknown): string[] {
  const list = isRecord(stored) && Array.isArray(stored.modelIds) ? stored.modelIds : [];
  const ids = list.filter((id): id is string => typeof id === "string" && id !== "");
  return [...new Set(ids)].slice(0, MOST_FAVOURITES);
}
