import { ChevronDown, type LucideIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import { type MenuItem, MenuList } from "./menu-list.tsx";
import { useAnchoredPopover } from "./use-anchored-popover.ts";

export type { MenuItem } from "./menu-list.tsx";

export interface MenuProps extends Pick<ButtonProps, "variant" | "size" | "className"> {
  /** The trigger's word; with `icon` it is the accessible name of an icon button. */
  label: string;
  icon?: LucideIcon | undefined;
  items: readonly MenuItem[];
  align?: "start" | "end" | undefined;
}

/** A button that opens a list of acts (the ARIA menu-button pattern). Escape and choosing return focus to the button. */
export function Menu({ label, icon: Icon, items, align = "start", ...look }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  useAnchoredPopover({ open: isOpen, anchor, popup, align });
  useEffect(() => {
    if (!isOpen) return;
    const away = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!popup.current?.contains(target) && !anchor.current?.contains(target)) setIsOpen(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [isOpen]);
  function close() {
    setIsOpen(false);
    anchor.current?.focus();
  }
  const trigger = {
    ...look,
    ref: anchor,
    "aria-haspopup": "menu" as const,
    "aria-expanded": isOpen,
    onClick: () => setIsOpen(!isOpen),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      setIsOpen(true);
    },
  };
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
