import type { MarksById } from "#jobs/marks/marks-store.ts";
import { statusWords } from "#jobs/status-words.ts";
import { Button } from "#ui/button.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { ChoiceFilter } from "./choice-filter.tsx";
import { DateFilter } from "./date-filter.tsx";
import { filterCount, type HistorySearch, JOB_STATUSES, JOB_TYPES } from "./history-search.ts";
import { MarkedFilter } from "./marked-filter.tsx";
import { ModelFilter } from "./model-filter.tsx";
import { SearchBox } from "./search-box.tsx";

export type SearchChange = Partial<Record<keyof HistorySearch, string | number | undefined>>;

interface FilterBarProps {
  search: HistorySearch;
  nowMs: number;
  marks: MarksById;
  onChange: (change: SearchChange) => void;
}

export const NO_FILTERS: SearchChange = {
  model: undefined,
  type: undefined,
  status: undefined,
  after: undefined,
  before: undefined,
};

/** The service's own filters, and how the list is shown. All of it is in the address. */
export function FilterBar({ search, nowMs, marks, onChange }: FilterBarProps) {
  return (
    <div className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-2 border-line border-b px-[18px] py-2 max-sm:px-3">
      <SearchBox value={search.q} onChange={(q) => onChange({ q })} />
      <div
        role="toolbar"
        aria-label="Filters"
        className="flex items-center gap-2 max-sm:order-last max-sm:-mx-3 max-sm:w-screen max-sm:overflow-x-auto max-sm:px-3"
      >
        <ModelFilter value={search.model} onChange={(model) => onChange({ model })} />
        <ChoiceFilter label="Type" choices={JOB_TYPES} value={search.type} onChange={(type) => onChange({ type })} />
        <ChoiceFilter
          label="Status"
          choices={JOB_STATUSES}
          value={search.status}
          wordOf={(status) => statusWords(status).word}
          onChange={(status) => onChange({ status })}
        />
        <DateFilter after={search.after} before={search.before} nowMs={nowMs} onChange={onChange} />
        <MarkedFilter query={search.q} marks={marks} onChange={(q) => onChange({ q })} />
        {filterCount(search) > 0 && (
          <Button variant="ghost" size="sm" onClick={() => onChange(NO_FILTERS)}>
            Clear
          </Button>
        )}
      </div>
      <span className="flex-1 max-sm:hidden" />
      <Segmented
        label="View"
        options={[
          { value: "grid", label: "Grid" },
          { value: "table", label: "Table" },
        ]}
        value={search.view ?? "grid"}
        onChange={(view) => onChange({ view })}
        className="w-[124px]"
      />
    </div>
  );
}
