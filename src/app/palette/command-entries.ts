import { useCommandStore } from "#ui/command-store.ts";
import { studioCommands } from "#ui/commands.ts";
import { keysNow, useKeyChoices } from "#ui/key-choices.ts";
import { orderOf } from "./all-commands.ts";
import type { PaletteEntry } from "./palette-entry.ts";
import { type CommandPlace, commandsOf } from "./press-keys.ts";

const GROUP_OF = { go: "Go to", setting: "Settings", act: "On this screen" } as const;

/** Every command of the place as a line of the palette, in the order of the list of keys. */
export function useCommandEntries(place: CommandPlace): PaletteEntry[] {
  const commands = useCommandStore((state) => state.commands);
  const choices = useKeyChoices();
  return commandsOf(place, commands)
    .filter(({ id }) => id !== studioCommands.palette.id)
    .sort((a, b) => orderOf(a.id) - orderOf(b.id))
    .map(({ kind, label, icon, detail, value, unavailable, group, run, ...command }) => ({
      id: `command-${command.id}`,
      group: GROUP_OF[kind ?? "act"],
      label,
      icon,
      detail: unavailable ?? detail,
      words: group,
      value,
      keys: keysNow(choices, command),
      unavailable,
      run,
    }));
}
