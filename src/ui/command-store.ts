import type { LucideIcon } from "lucide-react";
import { createContext, useContext, useEffect, useRef } from "react";
import { create } from "zustand";
import type { CommandInfo } from "./commands.ts";

/** A command that can be given now: the palette lists it, its keys run it, and its button shows them. */
export interface Command extends CommandInfo {
  icon?: LucideIcon | undefined;
  /** A few quiet words beside it: "now lumen-2", "4 saved". Found by the search, too. */
  detail?: string | undefined;
  /** On the right: its price, or how it is set now. */
  value?: string | undefined;
  /** Why it cannot act now, in a sentence. It is then listed and does nothing. */
  unavailable?: string | undefined;
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

/** What can be done now of some commands, by their names in `commands.ts`. */
export type Acts<Commands> = Partial<Record<keyof Commands, () => unknown>>;

/** The commands for which there is something to do, in the order in which they are written. */
export function commandsFor<Name extends string>(
  commands: Readonly<Record<Name, CommandInfo>>,
  acts: Partial<Record<Name, () => unknown>>,
  icons: Partial<Record<Name, LucideIcon>> = {},
): Command[] {
  return (Object.keys(commands) as Name[]).flatMap((name) => {
    const act = acts[name];
    return act ? [{ ...commands[name], icon: icons[name], run: () => void act() }] : [];
  });
}

/** Runs a command that is offered now and can act. Returns whether it did. */
export function runCommand(id: string): boolean {
  const command = useCommandStore.getState().commands.findLast((one) => one.id === id);
  if (!command || command.unavailable !== undefined) return false;
  command.run();
  return true;
}
