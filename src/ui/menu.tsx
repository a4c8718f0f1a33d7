import { clsx } from "clsx";
import { ChevronDown, type LucideIcon } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Button, type ButtonProps, IconButton } from "./button.tsx";
import type { CommandInfo } from "./commands.ts";
import { indexAfterKey } from "./list-keys.ts";
import { popupClass, useAnchoredPopover } from "./popover.ts";
import { Kbd } from "./shortcuts.tsx";

interface MenuProps extends Pick<ButtonProps, "variant" | "size" | "className"> {
  /** The trigger's word; with `icon` it is the accessible name of an icon button. */
  label: string;
  icon?: LucideIcon | undefined;
  /** What the trigger shows in place of its word, which stays its accessible name. */
  children?: ReactNode;
  items: readonly MenuItem[];
  align?: "start" | "end" | undefined;
}

/** A button that opens a list of acts (the ARIA menu-button pattern). Escape and choosing return focus to the button. */
export function Menu({ label, icon: Icon, children, items, align = "start", ...style }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  useAnchoredPopover({ open: isOpen, anchor, popup, align });
  useEffect(() => {
    if (!isOpen) return;
    const onPress = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!popup.current?.contains(target) && !anchor.current?.contains(target)) setIsOpen(false);
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, [isOpen]);
  function close() {
    setIsOpen(false);
    anchor.current?.focus();
  }
  const trigger = {
    ...style,
    ref: anchor,
    "aria-haspopup": "menu" as const,
    "aria-expanded": isOpen,
    onClick: () => setIsOpen(!isOpen),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      setIsOpen(true);
    },
  };
  if (children !== undefined) {
    return (
      <>
        <button type="button" {...trigger} aria-label={label}>
          {children}
        </button>
        {isOpen && (
          <MenuList ref={popup} label={label} items={items} onClose={close} onLeave={() => setIsOpen(false)} />
        )}
      </>
    );
  }
  return (
    <>
      {Icon ? (
        <IconButton {...trigger} label={label}>
          <Icon aria-hidden="true" className="size-4" />
        </IconButton>
      ) : (
        <Button {...trigger}>
          {label}
          <ChevronDown aria-hidden="true" className="-mr-1 size-4 text-ink-3" />
        </Button>
      )}
      {isOpen && <MenuList ref={popup} label={label} items={items} onClose={close} onLeave={() => setIsOpen(false)} />}
    </>
  );
}

/** One act of a menu. */
interface MenuItem {
  label: string;
  icon?: LucideIcon | undefined;
  /** The command that does the same. Its keys are shown with the item. */
  command?: Pick<CommandInfo, "id" | "keys" | "spends"> | undefined;
  /** Shown in red, for what cannot be undone. */
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
  onSelect: () => void;
}

interface MenuListProps {
  ref: RefObject<HTMLDivElement | null>;
  label: string;
  items: readonly MenuItem[];
  /** Closes and returns focus to the trigger. */
  onClose: () => void;
  /** Closes because focus moves on (Tab). */
  onLeave: () => void;
}

const getItems = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];

/** The open part of a menu: focus moves among the items with arrows, Home, End and first letters. */
function MenuList({ ref, label, items, onClose, onLeave }: MenuListProps) {
  useEffect(() => getItems(ref.current)[0]?.focus(), [ref]);

  function onKeyDown(event: KeyboardEvent) {
    const all = getItems(ref.current);
    const index = all.indexOf(document.activeElement as HTMLElement);
    const target = indexAfterKey(event.key, index, all.length, { wraps: true });
    if (event.key === "Tab") return onLeave();
    if (event.key === "Escape") onClose();
    else if (target !== undefined) all[target]?.focus();
    else if (/^\p{L}$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const order = [...all.slice(index + 1), ...all.slice(0, index + 1)];
      order.find((item) => item.textContent?.toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div
      ref={ref}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
      className={popupClass("min-w-45")}
    >
      {items.map(({ label: word, icon: Icon, command, danger, disabled, onSelect }) => (
        <button
          key={word}
          type="button"
          role="menuitem"
          data-command={command?.id}
          tabIndex={-1}
          aria-disabled={disabled || undefined}
          onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
          onClick={() => {
            if (disabled) return;
            onClose();
            onSelect();
          }}
          className={clsx(
            "flex min-h-8 w-full cursor-pointer items-center gap-2.5 whitespace-nowrap rounded-sm px-2 text-left",
            "outline-none focus:bg-hover aria-disabled:cursor-not-allowed aria-disabled:opacity-50 pointer-coarse:min-h-11",
            "focus-visible:outline-2 focus-visible:outline-focus focus-visible:-outline-offset-2",
            danger && "text-failed",
          )}
        >
          {Icon && <Icon aria-hidden="true" className={clsx("size-4", !danger && "text-ink-2")} />}
          {word}
          {command && (
            <span className="ms-auto flex gap-1 ps-3">
              <Kbd command={command} />
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
