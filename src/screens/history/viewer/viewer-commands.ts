import { Columns2, Columns3, Download, Info, type LucideIcon, Maximize, Star } from "lucide-react";
import type { Command } from "#ui/command-store.ts";

interface ViewerCommand {
  label: string;
  keys: string;
  icon?: LucideIcon;
  /** A key that is held goes on. */
  repeats?: boolean;
}

/** What can be done in the viewer, beside downloading, which its button does, and playing, which the bar of the player does. */
const VIEWER_COMMANDS = {
  previous: { label: "Previous", keys: "arrowleft", repeats: true },
  next: { label: "Next", keys: "arrowright", repeats: true },
  first: { label: "First", keys: "home" },
  last: { label: "Last", keys: "end" },
  details: { label: "Details", keys: "i", icon: Info },
  "reuse-all": { label: "Edit and run again", keys: "a" },
  remix: { label: "Same settings, new seed", keys: "r" },
  "reuse-prompt": { label: "Reuse only the prompt", keys: "p" },
  "reuse-seed": { label: "Reuse only the seed", keys: "s" },
  compare: { label: "Compare", keys: "m", icon: Columns2 },
  "compare-models": { label: "Compare models", keys: "shift+m", icon: Columns3 },
  "as-input": { label: "Use as input", keys: "w" },
  star: { label: "Star", keys: ".", icon: Star },
  "full-screen": { label: "Full screen", keys: "f", icon: Maximize },
  "zoom-in": { label: "Zoom in", keys: "plus", repeats: true },
  "zoom-out": { label: "Zoom out", keys: "-", repeats: true },
  "actual-size": { label: "Actual size", keys: "1" },
  fit: { label: "Fit to window", keys: "0" },
} as const satisfies Record<string, ViewerCommand>;
export type ViewerAct = keyof typeof VIEWER_COMMANDS;

/** The command of an act, for its button. */
export function viewerCommand(act: ViewerAct): { id: string; label: string; keys: string } {
  const { label, keys } = VIEWER_COMMANDS[act];
  return { id: `viewer.${act}`, label, keys };
}

export const VIEWER_DOWNLOAD = { id: "viewer.download", label: "Download", group: "Viewer", keys: "d", icon: Download };

/** The commands of the acts that are possible now. */
export function viewerCommands(acts: Readonly<Partial<Record<ViewerAct, () => unknown>>>): Command[] {
  const names = Object.keys(VIEWER_COMMANDS) as ViewerAct[];
  return names.flatMap((name) => {
    const act = acts[name];
    const command: ViewerCommand = VIEWER_COMMANDS[name];
    return act ? [{ ...command, id: `viewer.${name}`, group: "Viewer", run: () => void act() }] : [];
  });
}
