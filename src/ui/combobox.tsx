import { clsx } from "clsx";
import { Check, ChevronsUpDown } from "lucide-react";
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from "react";
import { formatNumber } from "#lib/numbers.ts";
import { inputClass } from "./field.tsx";
import { type ComboboxOption, filterOptions } from "./filter-options.ts";
import { indexAfterKey } from "./list-keys.ts";
import { popupClass, useAnchoredPopover } from "./popover.ts";

interface ComboboxProps {
  id?: string | undefined;
  /** The accessible name where no label element points at `id`. */
  label?: string | undefined;
  describedBy?: string | undefined;
  invalid?: boolean | undefined;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  options: readonly ComboboxOption[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  onBlur?: (() => void) | undefined;
  placeholder?: string | undefined;
  /** A text that is no option may be chosen, too. */
  allowCustom?: boolean | undefined;
  className?: string | undefined;
}

/**
 * An input with a list that typing narrows (the ARIA combobox pattern, list autocomplete). Arrow keys move and Enter chooses.
 * Escape restores the chosen value, and leaving the input empty clears it.
 */
export function Combobox(props: ComboboxProps) {
  const listId = useId();
  const anchor = useRef<HTMLDivElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const box = useCombobox(props);
  useAnchoredPopover({ open: box.isOpen, anchor, popup });
  const active = box.shown[box.activeIndex];
  return (
    <div ref={anchor} className={clsx("relative", props.className)}>
      <input
        id={props.id}
        type="text"
        dir="auto"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-label={props.label}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid || undefined}
        aria-required={props.required || undefined}
        aria-autocomplete="list"
        aria-expanded={box.isOpen}
        aria-controls={listId}
        aria-activedescendant={box.isOpen && active ? `${listId}-${box.activeIndex}` : undefined}
        disabled={props.disabled}
        placeholder={props.placeholder}
        value={box.text}
        onChange={(event) => box.type(event.currentTarget.value)}
        onClick={box.open}
        onKeyDown={box.onKeyDown}
        onBlur={() => {
          box.leave();
          props.onBlur?.();
        }}
        className={inputClass("min-h-8.5 pe-8 pointer-coarse:min-h-11 pointer-coarse:text-lg")}
      />
      <ChevronsUpDown
        aria-hidden="true"
        className="pointer-events-none absolute end-2.5 top-1/2 size-4 -translate-y-1/2 text-ink-3"
      />
      {box.isOpen && (
        <ComboboxList
          ref={popup}
          id={listId}
          label={props.label ?? "Options"}
          options={box.shown}
          activeIndex={box.activeIndex}
          selectedValue={props.value}
          allowCustom={props.allowCustom ?? false}
          onPick={box.pick}
          onHover={box.moveTo}
        />
      )}
    </div>
  );
}

/** More options than this are not drawn: typing narrows them. */
const MAX_DRAWN = 100;

interface ComboboxListProps {
  ref: Ref<HTMLDivElement>;
  id: string;
  label: string;
  options: readonly ComboboxOption[];
  activeIndex: number;
  selectedValue: string | undefined;
  allowCustom: boolean;
  onPick: (option: ComboboxOption) => void;
  onHover: (index: number) => void;
}

/** The floating list of a combobox. Focus stays in the input, which names the active option by its id. */
function ComboboxList(props: ComboboxListProps) {
  const activeItem = useRef<HTMLDivElement>(null);
  const { activeIndex } = props;
  useEffect(() => {
    if (activeIndex >= 0) activeItem.current?.scrollIntoView({ block: "nearest" });
  }, [activeIndex]);
  const hiddenCount = props.options.length - MAX_DRAWN;
  return (
    <div ref={props.ref} id={props.id} role="listbox" aria-label={props.label} className={popupClass()}>
      {props.options.slice(0, MAX_DRAWN).map((option, index) => (
        // The input keeps the focus and handles the keys; assistive technology may still focus an option.
        <div
          key={option.value}
          ref={index === activeIndex ? activeItem : undefined}
          id={`${props.id}-${index}`}
          role="option"
          tabIndex={-1}
          data-active={index === activeIndex || undefined}
          aria-selected={option.value === props.selectedValue}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => props.onPick(option)}
          onKeyDown={(event) => event.key === "Enter" && props.onPick(option)}
          onPointerMove={() => props.onHover(index)}
          className={clsx(
            "flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 pointer-coarse:min-h-11",
            index === activeIndex && "bg-hover",
          )}
        >
          <span dir="auto" className="wrap-anywhere min-w-0 flex-1">
            {option.label}
          </span>
          {option.detail && <span className="text-xs text-ink-3 tabular-nums">{option.detail}</span>}
          {option.value === props.selectedValue && (
            <Check aria-hidden="true" className="size-4 shrink-0 text-accent-text" />
          )}
        </div>
      ))}
      {hiddenCount > 0 && (
        <div role="presentation" className="px-2 py-1.5 text-xs text-ink-3">
          {formatNumber(hiddenCount)} more. Type to search.
        </div>
      )}
      {props.options.length === 0 && (
        <div role="presentation" className="px-2 py-1.5 text-sm text-ink-2">
          {props.allowCustom ? "Not in the list. Press Enter to use it." : "No matches"}
        </div>
      )}
    </div>
  );
}

/** The behavior of `Combobox`: the typed text, the options that are shown, the active one. */
function useCombobox({ options, value, onChange, allowCustom = false, disabled }: ComboboxProps) {
  const [isOpen, setIsOpen] = useState(false);
  // Undefined: nothing was typed since the list opened, so the input shows the chosen option.
  const [typed, setTyped] = useState<string>();
  const [activeIndex, setActiveIndex] = useState(-1);

  const chosenText = options.find((option) => option.value === value)?.label ?? value ?? "";
  const shown = typed === undefined ? [...options] : filterOptions(options, typed);

  function close() {
    setIsOpen(false);
    setTyped(undefined);
    setActiveIndex(-1);
  }
  function open() {
    if (disabled || isOpen) return;
    setIsOpen(true);
    setActiveIndex(options.findIndex((option) => option.value === value));
  }
  function pick(option: ComboboxOption) {
    if (option.value !== value) onChange(option.value);
    close();
  }
  function type(text: string) {
    setIsOpen(true);
    setTyped(text);
    setActiveIndex(text === "" || filterOptions(options, text).length === 0 ? -1 : 0);
  }
  function leave() {
    if (typed !== undefined) {
      const text = typed.trim();
      const matching = options.find((option) => option.label === text || option.value === text);
      if (matching) onChange(matching.value);
      else if (text === "") onChange(undefined);
      else if (allowCustom) onChange(text);
    }
    close();
  }
  function move(key: "ArrowDown" | "ArrowUp") {
    if (!isOpen) open();
    else if (shown.length > 0) {
      setActiveIndex(indexAfterKey(key, activeIndex, shown.length, { wraps: true }) ?? activeIndex);
    }
  }
  function onKeyDown(event: KeyboardEvent) {
    const active = shown[activeIndex];
    // Home and End move within the text.
    if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key);
    else if (event.key === "Enter" && isOpen) {
      if (active) pick(active);
      else leave();
      // With Ctrl or Cmd the value is chosen first, and then the event goes on to the commands of the screen.
      if (event.ctrlKey || event.metaKey) return;
    } else if (event.key === "Escape" && isOpen) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return {
    isOpen,
    open,
    text: typed ?? chosenText,
    type,
    shown,
    activeIndex,
    moveTo: setActiveIndex,
    pick,
    leave,
    onKeyDown,
  };
}
