// Commands: what can be done on a screen, with its name, its keys and its place in the palette.
import type { LucideIcon } from "lucide-react";
import { createContext, useContext, useEffect, useRef } from "react";
import { create } from "zustand";

/** The places of Safelight that have commands of their own, and their names in the list of keys. */
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
  /** The name in the list of keys. A screen may say more: "Run lumen-2", "Unstar". */
  label: string;
  /** Such as `mod+k`, `d` or `g c`: see `getChord` in `keys.ts`. Keys with `mod` act from text fields, too. */
  keys?: string | undefined;
  /** A second key, where people know two for the same act, such as K beside Space. It acts where no other command has it. */
  alsoKeys?: string | undefined;
  /** The heading of the list of keys under which it stands: "Run", "Result", "Global". */
  group: string;
  /** The places where it can act; everywhere where the list is empty. */
  places: readonly Place[];
  /** `go` leads to another place, and `setting` changes a setting. Without it the command is an act of the screen. */
  kind?: "go" | "setting" | undefined;
  /** The command also acts in a dialog that is a place of its own, such as the viewer. For commands of all of Safelight. */
  isEverywhere?: boolean | undefined;
  /** A key that stays pressed acts repeatedly. Not allowed for what costs money or deletes. */
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

/** The commands of all of Safelight. They are in this folder because screens of several folders have buttons for them. */
export const studioCommands = defineCommands(
  { group: "Global", places: [], isEverywhere: true },
  {
    palette: { id: "palette", label: "Commands", keys: "mod+k" },
    help: { id: "help", label: "Keyboard shortcuts", keys: "?", kind: "setting" },
    goCreate: { id: "go.create", label: "Go to Create", keys: "g c", kind: "go" },
    goBatch: { id: "go.batch", label: "Go to Batch", keys: "g b", kind: "go" },
    goHistory: { id: "go.history", label: "Go to History", keys: "g h", kind: "go" },
    goPlayground: { id: "go.playground", label: "Go to Playground", keys: "g p", kind: "go" },
    goSpend: { id: "go.spend", label: "Go to Spend", keys: "g s", kind: "go" },
    goSettings: { id: "go.settings", label: "Go to Settings", keys: "g ,", kind: "go" },
    addConnection: { id: "go.add-connection", label: "Add connection", kind: "go" },
    switchConnection: { id: "switch", label: "Switch connection", kind: "go", isPerItem: true },
    foldRail: {
      id: "rail.fold",
      label: "Collapse sidebar",
      keys: "mod+b",
      kind: "setting",
      // A dialog that is a place of its own covers the sidebar.
      isEverywhere: false,
    },
    disconnect: { id: "disconnect", label: "Disconnect", kind: "setting" },
  },
);

/** A command that can be given now: the palette lists it, its keys run it, and its button shows them. */
export interface Command extends CommandInfo {
  icon?: LucideIcon | undefined;
  /** A few quiet words beside the label: "now lumen-2", "4 saved". The search of the palette finds them, too. */
  detail?: string | undefined;
  /** Shown on the right: a price, or the present value of a setting. */
  value?: string | undefined;
  /** Why the command cannot act now, in a sentence. It is then listed and does nothing. */
  unavailable?: string | undefined;
  run: () => void;
}

/** A command with the layer of the dialog that it belongs to; the empty text stands for the screen itself. */
export interface PlacedCommand extends Command {
  layer: string;
}

/** Every command that can be given now. */
export const useCommandStore = create<{ commands: readonly PlacedCommand[] }>(() => ({ commands: [] }));

/** The dialog that a component is in, by the `data-command-layer` of its element; empty outside of dialogs. */
export const CommandLayer = createContext("");

/** All of a command that the palette shows, as one text. */
const shownText = ({ run: _, icon: __, ...words }: Command) => JSON.stringify(words);

/**
 * Offers commands in the palette and binds their keys while the component is mounted. Each press runs the latest `run`. The
 * list of commands changes only when something that it shows changes, and its order stays.
 */
export function useCommands(commands: readonly Command[]): void {
  const layer = useContext(CommandLayer);
  const latest = useRef(commands);
  const offered = useRef<readonly PlacedCommand[]>([]);
  useEffect(() => {
    latest.current = commands;
  });
  const signature = commands.map(shownText).join("\n") + layer;
  useEffect(() => {
    // `signature` is a dependency alone: it stands for what is shown of the commands.
    void signature;
    const previous = offered.current;
    const next = latest.current.map((command) => ({
      ...command,
      layer,
      run: () => latest.current.find(({ id }) => id === command.id)?.run(),
    }));
    offered.current = next;
    useCommandStore.setState((state) => {
      const place = state.commands.findIndex((command) => previous.includes(command));
      const others = state.commands.filter((command) => !previous.includes(command));
      return { commands: others.toSpliced(place === -1 ? others.length : place, 0, ...next) };
    });
  }, [signature, layer]);
  useEffect(
    () => () =>
      useCommandStore.setState((state) => ({
        commands: state.commands.filter((command) => !offered.current.includes(command)),
      })),
    [],
  );
}

/** `useCommands` as an element, for the commands of a dialog: they must be rendered inside the dialog's layer. */
export function Commands({ list }: { list: readonly Command[] }) {
  useCommands(list);
  return null;
}

/** The commands of a `commands.ts` that can be given now, by name, with what each does. */
export type Acts<Commands> = Partial<Record<keyof Commands, () => unknown>>;

/** The commands that have an act, in the order in which they are defined. */
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
  const command = useCommandStore.getState().commands.findLast((offered) => offered.id === id);
  if (!command || command.unavailable !== undefined) return false;
  command.run();
  return true;
}
