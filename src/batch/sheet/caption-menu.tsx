import { ChevronDown } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { popupClass, useAnchoredPopover, useLeave } from "#ui/popover.ts";
import { CAPTION_WORDS, CAPTIONS, type CaptionPart } from "./sheet-results.ts";

interface CaptionMenuProps {
  captions: readonly CaptionPart[];
  onChange: (captions: readonly CaptionPart[]) => void;
}

/** "Seed, price, time": what stands under a cell, and the boxes that change it. */
export function CaptionMenu({ captions, onChange }: CaptionMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const anchor = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLFieldSetElement>(null);
  const id = useId();
  useAnchoredPopover({ open: isOpen, anchor: root, popup, align: "end" });
  useLeave(isOpen, root, () => setIsOpen(false));
  useEffect(() => {
    if (isOpen) popup.current?.querySelector<HTMLElement>("input")?.focus({ preventScroll: true });
  }, [isOpen]);
  const words = captions.map((part) => CAPTION_WORDS[part]).join(", ");
  const shown = words === "" ? "No captions" : `${words.charAt(0)}${words.slice(1).toLowerCase()}`;
  return (
    <span ref={root} className="inline-flex">
      <Button
        ref={anchor}
        variant="ghost"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={`Captions: ${shown}`}
        onClick={() => setIsOpen(!isOpen)}
        className="text-ink-2!"
      >
        {shown}
        <ChevronDown aria-hidden className="-mr-1 size-4 text-ink-3" />
      </Button>
      {isOpen && (
        <fieldset
          ref={popup}
          id={id}
          aria-label="Captions"
          className={popupClass("w-48 p-1.5!")}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            setIsOpen(false);
            anchor.current?.focus();
          }}
        >
          {CAPTIONS.map((part) => (
            <div
              key={part}
              className="relative flex min-h-[30px] items-center gap-2.5 rounded-sm px-2 text-[13px] hover:bg-hover pointer-coarse:min-h-11"
            >
              <Checkbox
                id={`${id}-${part}`}
                checked={captions.includes(part)}
                onChange={() => onChange(CAPTIONS.filter((one) => captions.includes(one) !== (one === part)))}
                className="z-10"
              />
              <label htmlFor={`${id}-${part}`} className="flex-1 cursor-pointer after:absolute after:inset-0">
                {CAPTION_WORDS[part]}
              </label>
            </div>
          ))}
        </fieldset>
      )}
    </span>
  );
}
