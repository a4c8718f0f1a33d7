import { clsx } from "clsx";
import { Fragment, type ReactNode } from "react";
import type { CommandInfo } from "./commands.ts";
import { shortcutLabel, useKeys } from "./keys.ts";

interface KbdProps {
  /** The command whose keys are shown, as the person has them now. */
  command?: Pick<CommandInfo, "id" | "keys" | "spends"> | undefined;
  /** Keys that belong to no command, such as `esc`, shown as the platform writes them. Children may replace them. */
  keys?: string | undefined;
  className?: string | undefined;
  children?: ReactNode;
}

/**
 * A key on a control. Hidden from assistive technology, so that a button has its plain name; the control names its key
 * with `aria-keyshortcuts`. Hidden on touch, where there are no keys.
 */
export function Kbd({ keys, command, className, children }: KbdProps) {
  const commandKeys = useKeys(command);
  const shown = command ? commandKeys : keys;
  if (shown === undefined && children === undefined) return null;
  const steps = shown === undefined ? [children] : shortcutLabel(shown).split(" ");
  return (
    <>
      {steps.map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps of one shortcut have no other name
        <Fragment key={place}>
          <span
            aria-hidden="true"
            className={clsx(
              "whitespace-nowrap rounded-xs border border-line-strong px-1.25 font-medium font-mono text-xs text-ink-3 leading-snug",
              "in-[.bg-accent]:border-accent-ink/35 in-[.bg-accent]:text-inherit pointer-coarse:hidden",
              className,
            )}
          >
            {step}
          </span>
        </Fragment>
      ))}
    </>
  );
}
