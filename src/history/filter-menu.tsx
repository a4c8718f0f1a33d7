import { clsx } from "clsx";
import { ChevronDown, type LucideIcon, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button, IconButton } from "#ui/button.tsx";
import { indexAfterKey } from "#ui/list-keys.ts";
import { popupClass, useAnchoredPopover, useLeave } from "#ui/popover.ts";

interface FilterMenuProps {
  label: string;
  /** The labels of the chosen values; empty: no filter. */
  chosen: readonly string[];
  onClear: () => void;
  /** Shown in place of the label, where there is little room. */
  icon?: LucideIcon | undefined;
  align?: "start" | "end" | undefined;
  /** Renders the choices; called only while the menu is open. */
  children: (isOpen: true) => ReactNode;
  /** Shown below the choices, before Clear. */
  foot?: ReactNode;
}

/**
 * A filter: a button that opens its choices, with how many are chosen. Arrow keys move through them, Space chooses, and
 * Escape closes.
 */
export function FilterMenu({ label, chosen, onClear, icon: Icon, align = "start", children, foot }: FilterMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const anchor = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLFieldSetElement>(null);
  const popupId = useId();
  const isChosen = chosen.length > 0;
  useAnchoredPopover({ open: isOpen, anchor: root, popup, align });
  useLeave(isOpen, root, () => setIsOpen(false));
  useEffect(() => {
    if (isOpen) popup.current?.querySelector<HTMLElement>("input")?.focus({ preventScroll: true });
  }, [isOpen]);

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === "Escape") {
      event.stopPropagation();
      setIsOpen(false);
      anchor.current?.focus();
      return;
    }
    moveFocus(event);
  }
  return (
    <span ref={root} className="inline-flex max-w-full shrink-0 rounded-sm border border-line-strong">
      <Button
        ref={anchor}
        variant="ghost"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={isOpen ? popupId : undefined}
        aria-label={isChosen ? `${label}: ${chosen.join(", ")}` : undefined}
        title={isChosen ? chosen.join(", ") : undefined}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && isOpen) {
            // Otherwise Escape would clear the selection of the list as well.
            event.preventDefault();
            setIsOpen(false);
          }
          if (event.key !== "ArrowDown" || isOpen) return;
          event.preventDefault();
          setIsOpen(true);
        }}
        className={clsx("min-w-0 shrink! px-2.5! text-ink!", isOpen && "bg-hover!")}
      >
        {Icon ? (
          <>
            <Icon aria-hidden className="size-4" />
            <span className="sr-only">{label}</span>
          </>
        ) : (
          label
        )}
        {isChosen && (
          <span
            aria-hidden
            className="min-w-4 rounded-xs bg-ink px-1 text-center font-semibold text-xs text-canvas leading-snug tabular-nums"
          >
            {chosen.length}
          </span>
        )}
        {!Icon && <ChevronDown aria-hidden className="-mr-0.5 size-3.5 text-ink-3" />}
      </Button>
      {isChosen && (
        <IconButton label={`Clear ${label.toLowerCase()}`} size="sm" onClick={onClear} className="-ml-1.5">
          <X aria-hidden className="size-3.5" />
        </IconButton>
      )}
      {isOpen && (
        <fieldset
          ref={popup}
          id={popupId}
          aria-label={label}
          className={popupClass("flex w-64 flex-col p-0! overflow-hidden!")}
          onKeyDown={onKeyDown}
        >
          <div className="min-h-0 flex-auto overflow-y-auto overscroll-contain p-1.5">
            <p aria-hidden className="m-0 px-2 pt-1 pb-1.5 text-xs text-ink-3">
              {label}
            </p>
            {children(true)}
          </div>
          <div className="flex min-h-9 shrink-0 items-center justify-between gap-2 border-line border-t py-0.5 pr-1.5 pl-3.5 text-xs text-ink-3 tabular-nums">
            <span role="status">{foot}</span>
            <Button variant="ghost" size="sm" aria-disabled={!isChosen} onClick={() => isChosen && onClear()}>
              Clear
            </Button>
          </div>
        </fieldset>
      )}
    </span>
  );
}

/** Arrow keys move through the choices, Home and End to the first and the last, except where a field needs these keys. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const isText = event.target instanceof HTMLInputElement && ["text", "search", "date"].includes(event.target.type);
  if (event.target instanceof HTMLInputElement && event.target.type === "date") return;
  if (isText && (event.key === "Home" || event.key === "End")) return;
  const inputs: Element[] = [...event.currentTarget.querySelectorAll("input:not([type=date])")];
  const at = inputs.indexOf(document.activeElement ?? event.currentTarget);
  const to = indexAfterKey(event.key, at, inputs.length, { pageItems: 0 });
  if (to === undefined) return;
  event.preventDefault();
  const next = inputs[to];
  if (next instanceof HTMLElement) next.focus();
}
