import type { LucideIcon } from "lucide-react";
import { createContext, useContext, useEffect, useRef } from "react";
import { create } from "zustand";

/** The places of the studio that have commands of their own, and their names in the list of keys. */
export const PLACES = {
  create: "Create",
  batch: "Batch",
  prices: "Price table",
  job: "Job",
  history: "History",
  viewer: "Viewer",
  compare: "Compare",
  playground: "Playground",
  spend: "Spend",
  settings: "Settings",
} as const;
export type Place = keyof typeof PLACES;

/**
 * A command as plain data. Each is written once, in the `commands.ts` of its folder: the screen that offers it adds what it
 * does, and the list of all keys is made of these files. What people do with a result is one command wherever it can be
 * done, so that it has one key.
 */
export interface CommandInfo {
  /** Unique, such as `result.download`. It never changes: the person's own keys are stored by it. */
  id: string;
  /** Its name in the list of keys. A screen may say more: "Run lumen-2", "Remove the star". */
  label: string;
  /** Such as `mod+k`, `d` or `g c`: see `getChord` in `keys.ts`. Keys with `mod` act from text fields, too. */
  keys?: string | undefined;
  /** One key more, where people know two for the same act, such as K beside Space. It acts where nothing else has it. */
  alsoKeys?: string | undefined;
  /** The heading of the list of keys under which it stands: "Run", "Result", "Everywhere". */
  group: string;
  /** The places where it can act; everywhere where the list is empty. */
  places: readonly Place[];
  /** An act of the screen, unless it leads to another place or changes a setting. */
  kind?: "go" | "setting" | undefined;
  /** Also over a window that is a place of its own, such as the viewer. For the commands of the whole studio. */
  isEverywhere?: boolean | undefined;
  /** A key that stays pressed acts again and again. Never for what costs money or deletes. */
  repeats?: boolean | undefined;
  /** It spends at once. Then no single key can be given to it. */
  spends?: boolean | undefined;
  /** There is one for each batch, upload or column: no keys can be given to it, because the next one is another. */
  isPerItem?: boolean | undefined;
}

type OwnInfo = Omit<CommandInfo, "group" | "places">;

/** The commands of one heading of the list of keys, by the names that the code has for them. */
export function defineCommands<Name extends string>(
  shared: Pick<CommandInfo, "group" | "places" | "kind" | "isEverywhere">,
  commands: Readonly<Record<Name, OwnInfo>>,
): Readonly<Record<Name, CommandInfo>> {
  const entries = Object.entries<OwnInfo>(commands).map(([name, own]) => [name, { ...shared, ...own }]);
  return Object.fromEntries(entries);
}

/** A command for one item among several, by the id of the item. */
export function commandFor(command: CommandInfo, itemId: string): CommandInfo {
  return { ...command, id: `${command.id}:${itemId}` };
}

/** The id of a command without that of the item it is for. */
export const idWithoutItem = (id: string) => id.split(":")[0] ?? id;

/** The commands of the whole studio. They stand here, because screens name them on buttons of their own. */
export const studioCommands = defineCommands(
  { group: "Everywhere", places: [], isEverywhere: true },
  {
    palette: { id: "palette", label: "Commands", keys: "mod+k" },
    help: { id: "help", label: "Keyboard shortcuts", keys: "?", kind: "setting" },
    goCreate: { id: "go.create", label: "Go to Create", keys: "g c", kind: "go" },
    goBatch: { id: "go.batch", label: "Go to Batch", keys: "g b", kind: "go" },
    goHistory: { id: "go.history", label: "Go to History", keys: "g h", kind: "go" },
    goPlayground: { id: "go.playground", label: "Go to Playground", keys: "g p", kind: "go" },
    goSpend: { id: "go.spend", label: "Go to Spend", keys: "g s", kind: "go" },
    goSettings: { id: "go.settings", label: "Go to Settings", keys: "g ,", kind: "go" },
    addConnection: { id: "go.add-connection", label: "Add a connection", kind: "go" },
    switchConnection: { id: "switch", label: "Switch to another connection", kind: "go", isPerItem: true },
    foldRail: {
      id: "rail.fold",
      label: "Collapse the sidebar",
      keys: "mod+b",
      kind: "setting",
      // The sidebar lies behind such a window.
      isEverywhere: false,
    },
    disconnect: { id: "disconnect", label: "Disconnect", kind: "setting" },
  },
);

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
