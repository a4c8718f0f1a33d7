import type { MediaItem } from "#api/types.ts";
import { type Keep, useReuse } from "#jobs/reuse/use-reuse.ts";
import type { ButtonSize } from "#ui/button-class.ts";
import { Menu } from "#ui/menu.tsx";
import type { HistoryEntry } from "../history-entry.ts";

const CHOICES: readonly { keep: Keep; label: string; key: string }[] = [
  { keep: "all", label: "Run again, or change it first", key: "A" },
  { keep: "noseed", label: "All but the seed", key: "R" },
  { keep: "prompt", label: "Only the prompt", key: "P" },
  { keep: "seed", label: "Only the seed", key: "S" },
];

interface ReuseMenuProps {
  entry: HistoryEntry;
  /** The file that is shown, where it can be an input. */
  item: MediaItem | undefined;
  onAsInput: () => void;
  /** Names the keys that do the same: those of the viewer. */
  hasKeys?: boolean | undefined;
  size?: ButtonSize | undefined;
}

/**
 * Puts settings of this job into the form of its model, or its file into the form of another. Create shows the exact
 * price on its Run button before anything is run.
 */
export function ReuseMenu({ entry, item, onAsInput, hasKeys = false, size }: ReuseMenuProps) {
  const reuse = useReuse();
  const withKey = (label: string, key: string) => (hasKeys ? `${label} (${key})` : label);
  const settings = entry.model
    ? CHOICES.map(({ keep, label, key }) => ({ label: withKey(label, key), onSelect: () => reuse(entry, keep) }))
    : [];
  const asInput = item ? [{ label: withKey(AS_INPUT[item.kind], "W"), onSelect: onAsInput }] : [];
  const items = [...settings, ...asInput];
  return items.length > 0 ? <Menu label="Reuse" align="end" items={items} size={size} /> : null;
}

const AS_INPUT: Record<MediaItem["kind"], string> = {
  image: "Animate or edit it with…",
  video: "Use as an input of…",
  audio: "Use as an input of…",
  other: "Use as an input of…",
};
