import { clsx } from "clsx";
import { ChevronDown, X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { popupClass } from "#ui/popup-class.ts";
import { useAnchoredPopover } from "#ui/use-anchored-popover.ts";

interface FilterMenuProps {
  label: string;
  /** What is chosen, in words; undefined: nothing. */
  chosen: string | undefined;
  onClear: () => void;
  /** The choices. */
  children: ReactNode;
  className?: string;
}

/** A filter: a button that opens its choices and says what is chosen, with a way to clear it. */
export function FilterMenu({ label, chosen, onClear, children, className }: FilterMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const anchor = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLFieldSetElement>(null);
  const popupId = useId();
  useAnchoredPopover({ open: isOpen, anchor: root, popup, align: "start" });
  useEffect(() => {
    if (!isOpen) return;
    const away = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setIsOpen(false);
    };
    document.addEventListener("pointerdown", away);
    document.addEventListener("focusin", away);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("focusin", away);
    };
  }, [isOpen]);

  return (
    <span
      ref={root}
      className={clsx("inline-flex max-w-full shrink-0 rounded-sm border border-line-strong", className)}
    >
      <Button
        ref={anchor}
        variant="ghost"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={isOpen ? popupId : undefined}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => event.key === "Escape" && setIsOpen(false)}
        className="min-w-0 shrink! text-ink!"
      >
        {label}
        {chosen ? (
          <b className="max-w-44 truncate font-semibold">{chosen}</b>
        ) : (
          <ChevronDown aria-hidden className="-mr-0.5 size-3.5 text-ink-3" />
        )}
      </Button>
      {chosen && (
        <IconButton label={`Clear ${label.toLowerCase()}`} size="sm" onClick={onClear} className="-ml-1">
          <X aria-hidden className="size-3.5" />
        </IconButton>
      )}
      {isOpen && (
        <fieldset
          ref={popup}
          id={popupId}
          aria-label={label}
          className={popupClass("w-64 p-2!")}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            setIsOpen(false);
            anchor.current?.focus();
          }}
        >
          {children}
        </fieldset>
      )}
    </span>
  );
}
