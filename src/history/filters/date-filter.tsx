import { CalendarRange } from "lucide-react";
import { useId } from "react";
import { useApi } from "#connection/client.ts";
import { formatRelativeDay } from "#lib/time.ts";
import { RETENTION_DAYS, SOON_DAYS } from "#media/retention.ts";
import { Button } from "#ui/button.tsx";
import { TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { daySeconds, type HistorySearch } from "../history-search.ts";
import { FilterMenu } from "./filter-menu.tsx";

interface DateFilterProps {
  search: Pick<HistorySearch, "after" | "before">;
  nowMs: number;
  onChange: (change: { after?: string | undefined; before?: string | undefined }) => void;
}

const SPANS = [
  { value: "1", label: "Today" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "all", label: "All" },
] as const;

/** The last days, today included, or a range of days. */
export function DateFilter({ search, nowMs, onChange }: DateFilterProps) {
  const { after, before } = search;
  const span = SPANS.find(({ value }) => before === undefined && after === firstDay(value, nowMs))?.value;
  return (
    <span className="flex shrink-0 items-center gap-1.5">
      <Segmented
        label="Date"
        options={SPANS}
        value={span}
        onChange={(value) => onChange({ after: firstDay(value, nowMs), before: undefined })}
        className="flex-nowrap! whitespace-nowrap"
      />
      <DateRange search={search} nowMs={nowMs} onChange={onChange} isOwn={span === undefined} />
    </span>
  );
}

const firstDay = (span: (typeof SPANS)[number]["value"], nowMs: number) =>
  span === "all" ? undefined : localDay(nowMs, Number(span) - 1);

/** From one day to another, both included. */
function DateRange({ search: { after, before }, nowMs, onChange, isOwn }: DateFilterProps & { isOwn: boolean }) {
  const id = useId();
  // What expires soon is counted by the service's clock, because this device's may be days off.
  const serviceSeconds = useApi().clock.nowSeconds();
  const words = isOwn ? dateText(after, before, nowMs) : undefined;
  return (
    <FilterMenu
      label="Date range"
      icon={CalendarRange}
      align="end"
      chosen={words === undefined ? [] : [words]}
      onClear={() => onChange({ after: undefined, before: undefined })}
      foot={words ?? ""}
    >
      {() => (
        <div className="grid gap-2 p-2 pt-0 text-[12.5px]">
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
      )}
    </FilterMenu>
  );
}

/** The days of jobs whose files expire soon (spec 8). */
function expiringDays(nowMs: number): { after: string; before: string } {
  return { after: localDay(nowMs, RETENTION_DAYS - 1), before: localDay(nowMs, RETENTION_DAYS - SOON_DAYS) };
}

/** The local day so many days back, as the address has it. */
export function localDay(nowMs: number, back: number): string {
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
