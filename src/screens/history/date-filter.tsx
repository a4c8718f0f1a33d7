import { useId } from "react";
import { formatRelativeDay } from "#lib/time.ts";
import { RETENTION_DAYS, SOON_DAYS } from "#media/retention.ts";
import { Button } from "#ui/button.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { daySeconds } from "./history-search.ts";

interface DateFilterProps {
  after: string | undefined;
  before: string | undefined;
  nowMs: number;
  onChange: (change: { after?: string | undefined; before?: string | undefined }) => void;
}

/** From one day to another, both included. */
export function DateFilter({ after, before, nowMs, onChange }: DateFilterProps) {
  const id = useId();
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
        <Button size="sm" onClick={() => onChange(expiringDays(nowMs))} className="mt-1">
          Expiring within {SOON_DAYS} days
        </Button>
      </div>
    </FilterMenu>
  );
}

/** The days of jobs whose files are still kept and will soon not be (spec 8). */
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
