import { create } from "zustand";
import { readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { useIsCompact } from "#ui/use-media-query.ts";

type RailChoice = "folded" | "wide" | undefined;

const useChoice = create<{ choice: RailChoice }>(() => ({ choice: readChoice() }));

function readChoice(): RailChoice {
  const stored = readText(KEYS.rail);
  const choice = stored === "folded" || stored === "wide" ? stored : undefined;
  show(choice);
  return choice;
}

/** `styles.css` folds the rail by it. */
function show(choice: RailChoice): void {
  if (choice) document.documentElement.dataset.rail = choice;
  else delete document.documentElement.dataset.rail;
}

/** Whether the rail shows signs alone: as the person chose, else by the window's width. A choice is remembered. */
export function useRailFold(): { isFolded: boolean; toggle: () => void } {
  const choice = useChoice((state) => state.choice);
  const isCompact = useIsCompact();
  const isFolded = choice === undefined ? isCompact : choice === "folded";
  function toggle() {
    const next = isFolded ? "wide" : "folded";
    writeText(KEYS.rail, next);
    show(next);
    useChoice.setState({ choice: next });
  }
  return { isFolded, toggle };
}
