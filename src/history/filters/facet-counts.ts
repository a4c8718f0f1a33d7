import { useMemo } from "react";
import type { MarksById } from "#results/marks/marks-store.ts";
import type { JobRecord } from "#storage/job-records.ts";
import type { HistorySearch } from "../history-search.ts";
import { kindsByModel, searchIndex } from "../job-index/search-index.ts";
import { useJobIndex } from "../job-index/use-job-index.ts";

export type Facet = "model" | "type" | "status";

interface FacetCounts {
  counts: ReadonlyMap<string, number>;
  /** The index does not hold all jobs: there may be more. */
  isAtLeast: boolean;
}

/** How many indexed jobs each choice of a filter finds, under all the other filters and the search. */
export function useFacetCounts(facet: Facet, search: HistorySearch, marks: MarksById, nowMs: number): FacetCounts {
  const { state } = useJobIndex();
  const { entries, texts, isWhole } = state;
  const { q, model, type, status, after, before } = search;
  const counts = useMemo(
    () => countsOf(facet, { q, model, type, status, after, before }, { entries, texts, marks, nowMs }),
    [facet, entries, texts, q, model, type, status, after, before, marks, nowMs],
  );
  return { counts, isAtLeast: !isWhole };
}

type Question = { [Name in "q" | "model" | "type" | "status" | "after" | "before"]: string | undefined };
type Searched = Pick<Parameters<typeof searchIndex>[0], "entries" | "texts" | "marks" | "nowMs">;

/** What the list would find, but for the facet itself, counted by that facet. */
export function countsOf(facet: Facet, { q = "*", ...asked }: Question, searched: Searched): FacetCounts["counts"] {
  const filters = Object.fromEntries(
    Object.entries({ ...asked, [facet]: undefined }).filter(([, value]) => value !== undefined),
  );
  const isAll = q === "*" && Object.keys(filters).length === 0;
  const found = isAll ? searched.entries : searchIndex({ ...searched, query: q, filters });
  return countBy(facet, found, searched.entries);
}

/** Counts jobs by one fact of them. The type of a job without files is that of its model's other jobs in `all`. */
export function countBy(
  facet: Facet,
  found: readonly JobRecord[],
  all: readonly JobRecord[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (value: string) => counts.set(value, (counts.get(value) ?? 0) + 1);
  const kinds = facet === "type" ? kindsByModel(all) : undefined;
  for (const { model, status, media } of found) {
    if (facet === "status") add(status);
    else if (facet === "model") model !== undefined && add(model);
    else if (media.length > 0) for (const kind of new Set(media.map((item) => item.kind))) add(kind);
    else for (const kind of (model !== undefined && kinds?.get(model)) || []) add(kind);
  }
  return counts;
}
