import type { MediaItem } from "#api/types.ts";
import { Menu } from "#ui/menu.tsx";
import type { HistoryEntry } from "../history-entry.ts";
import { type Keep, useReuse } from "./use-reuse.ts";

const CHOICES: readonly { keep: Keep; label: string }[] = [
  { keep: "all", label: "Run again, or change it first (A)" },
  { keep: "noseed", label: "All but the seed (R)" },
  { keep: "prompt", label: "Only the prompt (P)" },
  { keep: "seed", label: "Only the seed (S)" },
];

interface ReuseMenuProps {
  entry: HistoryEntry;
  /** The file that is shown, where it can be an input. */
  item: MediaItem | undefined;
  onAsInput: () => void;
}

/**
 * Puts settings of this job into the form of its model, or its file into the form of another. Create shows the exact
 * price on its Run button before anything is run.
 */
export function ReuseMenu({ entry, item, onAsInput }: ReuseMenuProps) {
  const reuse = useReuse();
  const settings = entry.model ? CHOICES.map(({ keep, label }) => ({ label, onSelect: () => reuse(entry, keep) })) : [];
  const asInput = item ? [{ label: AS_INPUT[item.kind], onSelect: onAsInput }] : [];
  const items = [...settings, ...asInput];
  return items.length > 0 ? <Menu label="Reuse" align="end" items={items} /> : null;
}

const AS_INPUT: Record<MediaItem["kind"], string> = {
  image: "Animate or edit it with… (W)",
  video: "Use as an input of… (W)",
  audio: "Use as an input of… (W)",
  other: "Use as an input of… (W)",
};
