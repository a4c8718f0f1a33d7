import { clsx } from "clsx";
import { Check } from "lucide-react";
import { type Ref, useEffect, useRef } from "react";
import type { ComboboxOption } from "./filter-options.ts";
import { popupClass } from "./popup-class.ts";

/** More options than this are not drawn: typing narrows them. */
const MOST_DRAWN = 100;

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

/** The floating list of a combobox. Focus stays in the input; the active option is told by its id. */
export function ComboboxList(props: ComboboxListProps) {
  const activeItem = useRef<HTMLDivElement>(null);
  const { activeIndex } = props;
  useEffect(() => {
    if (activeIndex >= 0) activeItem.current?.scrollIntoView({ block: "nearest" });
  }, [activeIndex]);
  const rest = props.options.length - MOST_DRAWN;
  return (
    <div ref={props.ref} id={props.id} role="listbox" aria-label={props.label} className={popupClass()}>
      {props.options.slice(0, MOST_DRAWN).map((option, index) => (
        // The input keeps the focus and handles the keys; assistive technology may still focus an option.
        <div
          key={option.value}
          ref={index === activeIndex ? activeItem : undefined}
          id={`${props.id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={option.value === props.selectedValue}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => props.onPick(option)}
          onKeyDown={(event) => event.key === "Enter" && props.onPick(option)}
          onPointerMove={() => props.onHover(index)}
          className={clsx(
            "flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 pointer-coarse:min-h-10",
            index === activeIndex && "bg-hover",
          )}
        >
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
          {option.detail && <span className="text-[12px] text-ink-3 tabular-nums">{option.detail}</span>}
          {option.value === props.selectedValue && <Check aria-hidden="true" className="size-4 text-accent-text" />}
        </div>
      ))}
      {rest > 0 && (
        <div role="presentation" className="px-2 py-1.5 text-[12px] text-ink-3">
          {rest} more. Type to narrow.
        </div>
      )}
      {props.options.length === 0 && (
        <div role="presentation" className="px-2 py-1.5 text-[12.5px] text-ink-2">
          {props.allowCustom ? "Not in the list; it is taken as typed." : "Nothing matches."}
        </div>
      )}
    </div>
  );
}
