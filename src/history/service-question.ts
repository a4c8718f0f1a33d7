import type { JobListParams } from "#api/types.ts";
import {
  daySeconds,
  type HistorySearch,
  JOB_STATUSES,
  JOB_TYPES,
  modelsOf,
  readHistorySearch,
} from "./history-search.ts";
import { readQuery } from "./job-index/search-index.ts";

/** The part of a search that the service can answer (spec 4.1). */
export interface ServiceQuestion {
  params: JobListParams;
  /** The service's answer is all of it. Otherwise what it gives is searched here. */
  isExact: boolean;
}

/** What of a search the service can answer: its filters, and terms of the search that are such filters. */
export function serviceQuestion(search: HistorySearch): ServiceQuestion {
  const words = search.q === undefined ? [] : readQuery(search.q);
  let asked = search;
  let isExact = modelsOf(search).length <= 1;
  for (const { field, value, isNot, compare } of words) {
    const name = SERVICE_FIELDS.find((known) => known === field);
    const isFree = name !== undefined && !isNot && compare === "is" && asked[name] === undefined;
    // Words that the service does not know are found in the jobs themselves.
    const taken = isFree && isServiceValue(name, value) ? readHistorySearch({ ...asked, [name]: value }) : asked;
    if (taken === asked || name === undefined || taken[name] === undefined) isExact = false;
    else asked = taken;
  }
  return { params: filterParams(asked), isExact };
}

const SERVICE_FIELDS = ["type", "status", "after", "before"] as const;

function isServiceValue(name: (typeof SERVICE_FIELDS)[number], value: string): boolean {
  if (name === "after" || name === "before") return true;
  const known: readonly string[] = name === "type" ? JOB_TYPES : JOB_STATUSES;
  return value.split(",").every((word) => known.includes(word));
}

/**
 * The filters of a search as the service takes them (spec 4.1): one model at most. `before` is a whole day, so it ends
 * with the next one.
 */
export function filterParams(search: HistorySearch): JobListParams {
  const [model, ...others] = modelsOf(search);
  return {
    ...(model !== undefined && others.length === 0 ? { model_id: model } : {}),
    ...(search.type ? { model_type: search.type.split(",") } : {}),
    ...(search.status ? { status: search.status.split(",") } : {}),
    ...(search.after ? { created_after: daySeconds(search.after) } : {}),
    ...(search.before ? { created_before: daySeconds(search.before, 1) } : {}),
  };
}
