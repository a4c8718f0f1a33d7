import { Menu } from "#ui/menu.tsx";
import type { HistoryEntry } from "../history-entry.ts";
import { type Keep, useReuse } from "./use-reuse.ts";

const CHOICES: readonly { keep: Keep; label: string }[] = [
  { keep: "all", label: "All settings (A)" },
  { keep: "noseed", label: "All but the seed (R)" },
  { keep: "prompt", label: "Only the prompt (P)" },
  { keep: "seed", label: "Only the seed (S)" },
];

/** Puts settings of this job into the form of its model. Create shows the price before anything is run. */
export function ReuseMenu({ entry }: { entry: HistoryEntry }) {
  const reuse = useReuse();
  if (!entry.model) return null;
  return (
    <Menu
      label="Reuse"
      align="end"
      items={CHOICES.map(({ keep, label }) => ({ label, onSelect: () => reuse(entry, keep) }))}
    />
  );
}
