import type { Command } from "#ui/command-store.ts";

export interface CommandGroup {
  name: string;
  commands: Command[];
}

/** Commands under their headings; headings and commands keep the order in which they first came. */
export function groupCommands(commands: readonly Command[]): CommandGroup[] {
  const groups = new Map<string, Command[]>();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return [...groups].map(([name, list]) => ({ name, commands: list }));
}
