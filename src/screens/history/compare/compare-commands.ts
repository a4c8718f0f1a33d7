import { ArrowLeftRight, Columns3, type LucideIcon, SlidersHorizontal } from "lucide-react";
import type { Command } from "#ui/command-store.ts";

interface CompareCommand {
  label: string;
  keys?: string;
  icon?: LucideIcon;
  /** A key that is held goes on. */
  repeats?: boolean;
}

/** What can be done in the comparison, beside playing, which the bar of the player does. */
const COMPARE_COMMANDS = {
  swap: { label: "Swap", keys: "c", icon: ArrowLeftRight },
  way: { label: "Next comparison mode", keys: "m" },
  scale: { label: "Change the scale", keys: "s" },
  models: { label: "Add other models", keys: "shift+m", icon: Columns3 },
  previous: { label: "Previous for B", keys: "arrowleft", repeats: true },
  next: { label: "Next for B", keys: "arrowright", repeats: true },
  "previous-a": { label: "Previous for A", keys: "shift+arrowleft", repeats: true },
  "next-a": { label: "Next for A", keys: "shift+arrowright", repeats: true },
  "star-a": { label: "Star A" },
  "star-b": { label: "Star B" },
  "zoom-in": { label: "Zoom in", keys: "plus", repeats: true },
  "zoom-out": { label: "Zoom out", keys: "-", repeats: true },
  "actual-size": { label: "Actual size", keys: "1" },
  fit: { label: "Fit to window", keys: "0" },
  settings: { label: "Settings", keys: "i", icon: SlidersHorizontal },
} as const satisfies Record<string, CompareCommand>;
export type CompareAct = keyof typeof COMPARE_COMMANDS;

/** The command of an act, for its button. */
export function compareCommand(act: CompareAct): { id: string; label: string; keys: string | undefined } {
  const command: CompareCommand = COMPARE_COMMANDS[act];
  return { id: `compare.${act}`, label: command.label, keys: command.keys };
}

/** The commands of the acts that are possible now. */
export function compareCommands(acts: Readonly<Partial<Record<CompareAct, () => void>>>): Command[] {
  const names = Object.keys(COMPARE_COMMANDS) as CompareAct[];
  return names.flatMap((name) => {
    const run = acts[name];
    const command: CompareCommand = COMPARE_COMMANDS[name];
    return run ? [{ ...command, id: `compare.${name}`, group: "Compare", run }] : [];
  });
}
