import type { LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import { create } from "zustand";

export interface Command {
  /** Unique while it is there. */
  id: string;
  /** What it does, as a person would say it: "Download". */
  label: string;
  /** A heading of the palette: "Go to", "This job", "Theme". */
  group: string;
  /** Such as `mod+k` or `d`: see `matchesShortcut`. */
  keys?: string | undefined;
  icon?: LucideIcon | undefined;
  run: () => void;
}

/** Every command that can be given now, in the order they came. */
export const useCommandStore = create<{ commands: readonly Command[] }>(() => ({ commands: [] }));

/**
 * Offers commands in the palette and binds their keys while the component is there. The latest `run` is the one that
 * runs; the list itself changes only with ids, labels and keys.
 */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  const signature = commands.map(({ id, label, keys }) => `${id}\n${label}\n${keys ?? ""}`).join("\r");
  useEffect(() => {
    if (signature === "") return;
    const mine = latest.current.map((command) => ({
      ...command,
      run: () => latest.current.find(({ id }) => id === command.id)?.run(),
    }));
    useCommandStore.setState((state) => ({ commands: [...state.commands, ...mine] }));
    return () =>
      useCommandStore.setState((state) => ({ commands: state.commands.filter((one) => !mine.includes(one)) }));
  }, [signature]);
}
