import type { JobListParams } from "#api/types.ts";
import { DEFAULT_PAGE_SIZE, daySeconds, type HistorySearch } from "./history-search.ts";
import type { OffsetUnit } from "./offset-unit.ts";

/** The filters of a search as the service takes them (spec 4.1). `before` is a whole day, so it ends with the next one. */
export function filterParams(search: HistorySearch): JobListParams {
  return {
    ...(search.model ? { model_id: search.model } : {}),
    ...(search.type ? { model_type: search.type.split(",") } : {}),
    ...(search.status ? { status: search.status.split(",") } : {}),
    ...(search.after ? { created_after: daySeconds(search.after) } : {}),
    ...(search.before ? { created_before: daySeconds(search.before, 1) } : {}),
  };
}

/** One page of a search. The first page needs no offset, so the unit does not matter there. */
export function pageParams(search: HistorySearch, unit: OffsetUnit): JobListParams {
  const limit = search.limit ?? DEFAULT_PAGE_SIZE;
  const skipped = (search.page ?? 1) - 1;
  const offset = unit === "pages" ? skipped : skipped * limit;
  return { ...filterParams(search), limit, ...(offset > 0 ? { offset } : {}) };
}
