import type { LucideIcon } from "lucide-react";
import { createContext, useContext, useEffect, useRef } from "react";
import { create } from "zustand";

/** One act of the interface: the palette lists it, its keys run it, and its button shows them. */
export interface Command {
  /** Unique while it is there, such as `result.download`. It never changes: the person's own keys are stored by it. */
  id: string;
  /** What it does, as a person would say it: "Download", or "Run lumen-2". */
  label: string;
  /** The heading of the list of keys under which it stands: "Run", "Result", "Everywhere". */
  group: string;
  /**
   * Such as `mod+k`, `d` or `g c`: see `chordOf` in `key-press.ts`. Keys with `mod` act from text fields, too. Each command
   * with keys is also in the list of all keys, `app/palette/key-catalogue.ts`.
   */
  keys?: string | undefined;
  /** One key more, where people know two for the same act, such as K beside Space. It acts where nothing else has it. */
  alsoKeys?: string | undefined;
  icon?: LucideIcon | undefined;
  /** A few quiet words beside it: "now lumen-2", "4 saved". Found by the search, too. */
  detail?: string | undefined;
  /** On the right: its price, or how it is set now. */
  value?: string | undefined;
  /** Why it cannot act now, in a sentence. It is then listed and does nothing. */
  unavailable?: string | undefined;
  /** An act of the screen, unless it leads to another place or changes a setting. */
  kind?: "go" | "setting" | undefined;
  /** Also over a window that is a place of its own, such as the viewer. For the commands of the whole studio. */
  isEverywhere?: boolean | undefined;
  /** A key that is held acts again and again. Never for what costs money or deletes. */
  repeats?: boolean | undefined;
  run: () => void;
}

/** A command with the dialog that it belongs to; empty for the screen itself. */
export interface PlacedCommand extends Command {
  layer: string;
}

/** Every command that can be given now. */
export const useCommandStore = create<{ commands: readonly PlacedCommand[] }>(() => ({ commands: [] }));

/** The dialog that a component is in, by the `data-command-layer` of its element; empty outside of dialogs. */
export const CommandLayer = createContext("");

const shape = ({ run: _, icon: __, ...words }: Command) => JSON.stringify(words);

/**
 * Offers commands in the palette and binds their keys while the component is there. The latest `run` is the one that
 * runs; the list itself changes only with what is shown of it, and keeps its place.
 */
export function useCommands(commands: readonly Command[]): void {
  const layer = useContext(CommandLayer);
  const latest = useRef(commands);
  const offered = useRef<readonly PlacedCommand[]>([]);
  useEffect(() => {
    latest.current = commands;
  });
  const signature = commands.map(shape).join("\n") + layer;
  useEffect(() => {
    void signature;
    const before = offered.current;
    const mine = latest.current.map((command) => ({
      ...command,
      layer,
      run: () => latest.current.find(({ id }) => id === command.id)?.run(),
    }));
    offered.current = mine;
    useCommandStore.setState((state) => {
      const place = state.commands.findIndex((one) => before.includes(one));
      const rest = state.commands.filter((one) => !before.includes(one));
      return { commands: rest.toSpliced(place === -1 ? rest.length : place, 0, ...mine) };
    });
  }, [signature, layer]);
  useEffect(
    () => () =>
      useCommandStore.setState((state) => ({
        commands: state.commands.filter((one) => !offered.current.includes(one)),
      })),
    [],
  );
}

/** The same as an element: for a dialog's own commands, which must stand inside of it. */
export function Commands({ list }: { list: readonly Command[] }) {
  useCommands(list);
  return null;
}

/** Runs a command that is offered now and can act. Returns whether it did. */
export function runCommand(id: string): boolean {
  const command = useCommandStore.getState().commands.findLast((one) => one.id === id);
  if (!command || command.unavailable !== undefined) return false;
  command.run();
  return true;
}
