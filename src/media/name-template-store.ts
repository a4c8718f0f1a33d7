import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import { isRecord } from "#lib/json.ts";
import { safeLocalStorage } from "#lib/safe-storage.ts";
import { DEFAULT_NAME_TEMPLATE } from "./media-file-name.ts";

const LONGEST = 200;

const useStore = create<{ template: string }>()(
  persist(() => ({ template: "" }), {
    name: "safelight.name-template",
    version: 1,
    storage: createJSONStorage(() => safeLocalStorage),
    // What storage gives back is untrusted.
    merge: (stored) => ({
      template: isRecord(stored) && typeof stored.template === "string" ? stored.template.slice(0, LONGEST) : "",
    }),
  }),
);

/** The template of file names that the person wrote, else the studio's own. */
export function nameTemplate(): string {
  return useStore.getState().template.trim() || DEFAULT_NAME_TEMPLATE;
}

/** What the person wrote, as it stands in the field; empty where they wrote none. */
export function useNameTemplate(): string {
  return useStore((state) => state.template);
}

/** Keeps a template on this device; an empty one is the studio's own. */
export function setNameTemplate(template: string): void {
  useStore.setState({ template: template.slice(0, LONGEST) });
}
