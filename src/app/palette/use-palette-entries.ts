import { Hash } from "lucide-react";
import { useMemo } from "react";
import { useCommandEntries } from "./command-entries.ts";
import { findEntries, wordsOf } from "./find-entries.ts";
import { useJobEntries } from "./job-entries.tsx";
import { useModelEntries } from "./model-entries.ts";
import type { PaletteEntry } from "./palette-entry.ts";
import type { CommandPlace } from "./press-keys.ts";
import { useSettingEntries } from "./setting-entries.ts";

interface PaletteSearch {
  /** Without spaces around it. */
  query: string;
  place: CommandPlace;
  /** The id of a job is to be typed now. */
  onAskId: () => void;
}

/** What the palette lists for a search. With nothing typed: the acts of the place and the recent jobs. */
export function usePaletteEntries({ query, place, onAskId }: PaletteSearch): {
  entries: PaletteEntry[];
  failed: boolean;
} {
  const commands = useCommandEntries(place);
  const settings = useSettingEntries();
  const { jobs, byId } = useJobEntries(query);
  const { models, goTo, failed } = useModelEntries(query);
  const askId: PaletteEntry = {
    id: "ask-id",
    group: "By ID",
    label: "Open job by ID",
    detail: "paste the ID",
    icon: Hash,
    staysOpen: true,
    run: onAskId,
  };
  const words = useMemo(() => wordsOf(query), [query]);
  const here = commands.filter(({ group }) => group === "On this screen");
  if (query === "")
    return { entries: [...here, ...jobs, ...commands.filter(({ group }) => group === "Go to")], failed };
  const found = findEntries([...commands, ...settings, ...(byId.length === 0 ? [askId] : [])], words);
  return { entries: [...found, ...goTo, ...jobs, ...models, ...byId], failed };
}
