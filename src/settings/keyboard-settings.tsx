import { useId } from "react";
import { Button } from "#ui/button.tsx";
import { Switch } from "#ui/checkbox.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { runCommand } from "#ui/command-store.ts";
import { studioCommands } from "#ui/commands.ts";
import { setSingleKeys, useKeyChoices } from "#ui/key-choices.ts";
import { Kbd } from "#ui/shortcuts.tsx";

/** The switch for single keys, and the ways to all commands and to all shortcuts, where each can be changed. */
export function KeyboardSettings() {
  const singleKeys = useKeyChoices((choices) => choices.singleKeys);
  const id = useId();
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Switch
          id={id}
          aria-describedby={`${id}-hint`}
          checked={singleKeys}
          onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        />
        <label htmlFor={id}>Single-key shortcuts</label>
      </div>
      <p id={`${id}-hint`} className="m-0 max-w-[60ch] text-[12.5px] text-ink-3">
        One letter without Ctrl or ⌘ runs a command, such as D for Download. They are always off while you type.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => runCommand(studioCommands.help.id)} {...useCommandProps(studioCommands.help)}>
          Show and change shortcuts
          <Kbd command={studioCommands.help} />
        </Button>
        <Button
          size="sm"
          onClick={() => runCommand(studioCommands.palette.id)}
          {...useCommandProps(studioCommands.palette)}
        >
          Search commands
          <Kbd command={studioCommands.palette} />
        </Button>
      </div>
    </div>
  );
}
