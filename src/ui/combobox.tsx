import { clsx } from "clsx";
import { ChevronsUpDown } from "lucide-react";
import { useId, useRef } from "react";
import { ComboboxList } from "./combobox-list.tsx";
import type { ComboboxOption } from "./filter-options.ts";
import { inputClass } from "./input-class.ts";
import { useAnchoredPopover } from "./use-anchored-popover.ts";
import { useCombobox } from "./use-combobox.ts";

export interface ComboboxProps {
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
  /** A text that is no option may be chosen too. */
  allowCustom?: boolean | undefined;
  className?: string | undefined;
}

/**
 * A list one types to narrow (the ARIA combobox pattern, list autocomplete). Arrow keys move, Enter takes, Escape puts
 * back what was there, leaving with an empty text clears.
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
        className={inputClass("h-[34px] pr-8 pointer-coarse:h-10 pointer-coarse:text-[16px]")}
      />
      <ChevronsUpDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-ink-3"
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
