import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ChevronDown, X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { formatRelativeDay } from "#lib/time.ts";
import { RETENTION_DAYS, SOON_DAYS } from "#media/retention.ts";
import { modelQueries } from "#models/model-queries.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Combobox } from "#ui/combobox.tsx";
import { TextInput } from "#ui/field.tsx";
import { popupClass, useAnchoredPopover } from "#ui/popover.ts";
import { daySeconds } from "./history-search.ts";

interface FilterMenuProps {
  label: string;
  /** What is chosen, in words; undefined: nothing. */
  chosen: string | undefined;
  onClear: () => void;
  /** The choices. */
  children: ReactNode;
  className?: string;
}

/** A filter: a button that opens its choices and shows what is chosen, with a way to clear it. */
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

interface ChoiceFilterProps {
  label: string;
  choices: readonly string[];
  /** Comma-separated, as in the address. */
  value: string | undefined;
  /** The word for a choice; the service's own where not given. */
  wordOf?: (choice: string) => string;
  onChange: (value: string | undefined) => void;
}

/** A filter of which several choices may hold at once. */
export function ChoiceFilter({ label, choices, value, wordOf = capitalised, onChange }: ChoiceFilterProps) {
  const id = useId();
  const chosen = value?.split(",") ?? [];
  function toggle(choice: string) {
    const next = choices.filter((other) => (other === choice) !== chosen.includes(other));
    onChange(next.length > 0 ? next.join(",") : undefined);
  }
  return (
    <FilterMenu label={label} chosen={value && chosen.map(wordOf).join(", ")} onClear={() => onChange(undefined)}>
      {choices.map((choice) => (
        <label
          key={choice}
          htmlFor={`${id}-${choice}`}
          className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-sm px-2 hover:bg-hover pointer-coarse:min-h-11"
        >
          <Checkbox id={`${id}-${choice}`} checked={chosen.includes(choice)} onChange={() => toggle(choice)} />
          {wordOf(choice)}
        </label>
      ))}
    </FilterMenu>
  );
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

interface ModelFilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** The jobs of one model. A model that has left the catalogue can be typed. */
export function ModelFilter({ value, onChange }: ModelFilterProps) {
  const ids = useQuery(modelQueries(useApi()).ids());
  const options = (ids.data ?? []).map((id) => ({ value: id, label: id }));
  return (
    <FilterMenu label="Model" chosen={value} onClear={() => onChange(undefined)}>
      <Combobox
        label="Model ID"
        allowCustom
        options={options}
        value={value}
        onChange={onChange}
        placeholder="Any model"
      />
    </FilterMenu>
  );
}

interface DateFilterProps {
  after: string | undefined;
  before: string | undefined;
  nowMs: number;
  onChange: (change: { after?: string | undefined; before?: string | undefined }) => void;
}

/** From one day to another, both included. */
export function DateFilter({ after, before, nowMs, onChange }: DateFilterProps) {
  const id = useId();
  // What expires soon is counted by the service's clock, because this device's may be days off.
  const serviceSeconds = useApi().clock.nowSeconds();
  return (
    <FilterMenu
      label="Date"
      chosen={dateText(after, before, nowMs)}
      onClear={() => onChange({ after: undefined, before: undefined })}
    >
      <div className="grid gap-2 p-1 text-[12.5px]">
        <label htmlFor={`${id}-after`} className="font-medium">
          After
        </label>
        <TextInput
          id={`${id}-after`}
          type="date"
          value={after ?? ""}
          max={before}
          onChange={(event) => onChange({ after: event.target.value || undefined })}
        />
        <label htmlFor={`${id}-before`} className="font-medium">
          Before
        </label>
        <TextInput
          id={`${id}-before`}
          type="date"
          value={before ?? ""}
          min={after}
          onChange={(event) => onChange({ before: event.target.value || undefined })}
        />
        <p className="m-0 text-ink-3">Both days are included.</p>
        <Button
          size="sm"
          disabled={serviceSeconds === undefined}
          onClick={() => onChange(expiringDays((serviceSeconds ?? 0) * 1000))}
          className="mt-1"
        >
          Expiring within {SOON_DAYS} days
        </Button>
      </div>
    </FilterMenu>
  );
}

/** The days of jobs whose files expire soon (spec 8). */
function expiringDays(nowMs: number): { after: string; before: string } {
  return { after: localDay(nowMs, RETENTION_DAYS - 1), before: localDay(nowMs, RETENTION_DAYS - SOON_DAYS) };
}

function localDay(nowMs: number, back: number): string {
  const now = new Date(nowMs);
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** "1 Nov to Today"; a year only where it is not this one. */
function dateText(after: string | undefined, before: string | undefined, nowMs: number): string | undefined {
  const thisYear = ` ${new Date(nowMs).getFullYear()}`;
  const word = (day: string) => formatRelativeDay(daySeconds(day), nowMs).replace(thisYear, "");
  if (after && before) return after === before ? word(after) : `${word(after)} to ${word(before)}`;
  if (after) return `from ${word(after)}`;
  return before ? `until ${word(before)}` : undefined;
}
