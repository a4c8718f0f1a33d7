import type { ReactNode } from "react";
import { Button, type ButtonProps, IconButton } from "./button.tsx";
import { type Command, type CommandInfo, useCommands } from "./commands.ts";
import { ariaKeys, useKeys } from "./keys.ts";
import { Kbd } from "./shortcuts.tsx";

interface CommandButtonProps extends Omit<ButtonProps, "onClick" | "children"> {
  command: Command;
  /** The button shows only its icon, and is named by the label. */
  isIcon?: boolean | undefined;
  /** What the button says where that is shorter than the label of the command. */
  children?: ReactNode;
}

/** A button and its command in one, so that they cannot differ: its word, its keys, and why it cannot act. */
export function CommandButton({ command, isIcon = false, children, ...look }: CommandButtonProps) {
  useCommands([command]);
  const { icon: Icon, label, unavailable } = command;
  const props = {
    ...look,
    ...useCommandProps(command),
    "aria-disabled": unavailable === undefined ? look["aria-disabled"] : true,
    onClick: command.run,
  };
  const iconElement = Icon && <Icon aria-hidden="true" className="size-4" />;
  if (isIcon) {
    return (
      <IconButton {...props} label={label}>
        {iconElement}
      </IconButton>
    );
  }
  return (
    <Button {...props} title={unavailable ?? look.title}>
      {iconElement}
      {children ?? label}
      <Kbd command={command} />
    </Button>
  );
}

/** The attributes that connect a button or link to its command: `<Link {...useCommandProps(command)}>`. */
export function useCommandProps(command: Pick<CommandInfo, "id" | "keys" | "spends"> | undefined) {
  return { "data-command": command?.id, "aria-keyshortcuts": ariaKeys(useKeys(command)) };
}
