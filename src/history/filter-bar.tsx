import { LayoutGrid, Table } from "lucide-react";
import type { ReactNode } from "react";
import type { MarksById } from "#results/marks/marks-store.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Segmented } from "#ui/segmented.tsx";
import { historyCommands } from "./commands.ts";
import { MarkedFilter, ModelFilter, StatusFilter, TypeFilter } from "./filters/choice-filters.tsx";
import { DateFilter } from "./filters/date-filter.tsx";
import { SearchBox } from "./filters/search-box.tsx";
import { filterCount, type HistorySearch } from "./history-search.ts";

export type SearchChange = Partial<Record<keyof HistorySearch, string | number | undefined>>;

interface FilterBarProps {
  search: HistorySearch;
  nowMs: number;
  marks: MarksById;
  onChange: (change: SearchChange) => void;
  /** What can be done with the whole list. */
  menu?: ReactNode;
}

export const NO_FILTERS: SearchChange = {
  model: undefined,
  type: undefined,
  status: undefined,
  after: undefined,
  before: undefined,
};

/** What is looked for, and how the list is shown. All of it is in the address. */
export function FilterBar({ search, nowMs, marks, onChange, menu }: FilterBarProps) {
  const view = search.view ?? "grid";
  useCommands([
    {
      ...historyCommands.grid,
      icon: LayoutGrid,
      value: onIf(view === "grid"),
      run: () => onChange({ view: "grid" }),
    },
    {
      ...historyCommands.table,
      icon: Table,
      value: onIf(view === "table"),
      run: () => onChange({ view: "table" }),
    },
  ]);
  const filter = { search, marks, nowMs };
  return (
    <div className="flex min-h-[52px] shrink-0 flex-wrap items-center xl:flex-nowrap gap-2 border-line border-b px-[18px] py-2 max-sm:px-3">
      <SearchBox value={search.q} nowMs={nowMs} onChange={(q) => onChange({ q })} />
      <div
        role="toolbar"
        aria-label="Filters"
        className="flex items-center gap-2 flex-wrap max-xl:order-last max-xl:w-full sm:min-w-0 sm:grow"
      >
        <ModelFilter {...filter} onChange={(model) => onChange({ model })} />
        <TypeFilter {...filter} onChange={(type) => onChange({ type })} />
        <MarkedFilter search={search} marks={marks} onChange={(q) => onChange({ q })} />
        <StatusFilter {...filter} onChange={(status) => onChange({ status })} />
        {filterCount(search) > 0 && (
          <CommandButton
            variant="ghost"
            size="sm"
            command={{ ...historyCommands.clearFilters, run: () => onChange(NO_FILTERS) }}
          >
            Clear
          </CommandButton>
        )}
        <span className="flex-1 max-sm:hidden" />
        <DateFilter search={search} nowMs={nowMs} onChange={onChange} />
      </div>
      <span className="flex-1 max-sm:hidden xl:hidden" />
      <Segmented
        label="View"
        options={[
          { value: "grid", label: "Grid" },
          { value: "table", label: "Table" },
        ]}
        value={search.view ?? "grid"}
        onChange={(next) => onChange({ view: next })}
        className="w-[112px] shrink-0"
      />
      {menu}
    </div>
  );
}

const onIf = (isOn: boolean) => (isOn ? "On" : undefined);
