import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#connection/client.ts";
import { modelQueries } from "#models/model-queries.ts";
import type { MarksById } from "#results/marks/marks-store.ts";
import { knownTags, tagTerm } from "#results/marks/tags.ts";
import { statusWords } from "#runs/status-words.ts";
import { type HistorySearch, JOB_STATUSES, JOB_TYPES, modelsOf, modelsText } from "../history-search.ts";
import { CheckList, type Choice } from "./check-list.tsx";
import { useFacetCounts } from "./facet-counts.ts";
import { FilterMenu } from "./filter-menu.tsx";
import { hasTerm, withoutTerm, withTerm } from "./search-terms.ts";

interface FilterProps {
  search: HistorySearch;
  marks: MarksById;
  nowMs: number;
  onChange: (value: string | undefined) => void;
}

const listed = (value: string | undefined) => value?.split(",") ?? [];
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Jobs of some kinds of files. */
export function TypeFilter(props: FilterProps) {
  const chosen = listed(props.search.type);
  return (
    <FilterMenu
      label="Type"
      chosen={chosen.map(capitalised)}
      onClear={() => props.onChange(undefined)}
      foot={`${chosen.length} of ${JOB_TYPES.length}`}
    >
      {() => (
        <FixedChoices {...props} facet="type" values={JOB_TYPES} wordOf={(type) => ({ label: capitalised(type) })} />
      )}
    </FilterMenu>
  );
}

/** Jobs in some states. */
export function StatusFilter(props: FilterProps) {
  const chosen = listed(props.search.status);
  const wordOf = (status: string) => ({ label: statusWords(status).word, tone: statusWords(status).tone });
  return (
    <FilterMenu
      label="Status"
      chosen={chosen.map((status) => wordOf(status).label)}
      onClear={() => props.onChange(undefined)}
      foot={`${chosen.length} of ${JOB_STATUSES.length}`}
    >
      {() => <FixedChoices {...props} facet="status" values={JOB_STATUSES} wordOf={wordOf} />}
    </FilterMenu>
  );
}

interface FixedChoicesProps extends FilterProps {
  facet: "type" | "status";
  values: readonly string[];
  wordOf: (value: string) => Pick<Choice, "label" | "tone">;
}

function FixedChoices({ facet, values, wordOf, search, marks, nowMs, onChange }: FixedChoicesProps) {
  const { counts, isAtLeast } = useFacetCounts(facet, search, marks, nowMs);
  return (
    <CheckList
      choices={values.map((value) => ({ value, ...wordOf(value), count: counts.get(value) ?? 0 }))}
      chosen={listed(search[facet])}
      isAtLeast={isAtLeast}
      // In the order of the choices, so that one question has one address.
      onChange={(next) => onChange(values.filter((value) => next.includes(value)).join(",") || undefined)}
    />
  );
}

/** Jobs of some models. A model that has left the catalogue can be typed. */
export function ModelFilter(props: FilterProps) {
  const chosen = modelsOf(props.search);
  return (
    <FilterMenu
      label="Model"
      chosen={chosen}
      onClear={() => props.onChange(undefined)}
      foot={chosen.length === 0 ? "Any model" : `${chosen.length} chosen`}
    >
      {() => <ModelChoices {...props} />}
    </FilterMenu>
  );
}

function ModelChoices({ search, marks, nowMs, onChange }: FilterProps) {
  const ids = useQuery(modelQueries(useApi()).ids()).data;
  const chosen = modelsOf(search);
  const { counts, isAtLeast } = useFacetCounts("model", search, marks, nowMs);
  const choices = useMemo(() => {
    const all = [
      ...new Set([...counts.keys(), ...(ids ?? []), ...modelsOf({ ...(search.model && { model: search.model }) })]),
    ];
    const countOf = (id: string) => counts.get(id) ?? 0;
    return all
      .sort((a, b) => countOf(b) - countOf(a) || a.localeCompare(b))
      .map((id): Choice => ({ value: id, label: id, count: countOf(id) }));
  }, [counts, ids, search.model]);
  return (
    <CheckList
      takesOwn
      choices={choices}
      chosen={chosen}
      isAtLeast={isAtLeast}
      onChange={(next) => onChange(modelsText(next))}
    />
  );
}

/** Jobs that a person starred, saved or put into a collection: words of the search, for the service knows of none. */
export function MarkedFilter({ search: { q }, marks, onChange }: Omit<FilterProps, "nowMs">) {
  const choices = useMemo(() => markedChoices(marks), [marks]);
  const chosen = choices.filter(({ value }) => hasTerm(q, value));
  return (
    <FilterMenu
      label="Starred & tags"
      chosen={chosen.map(({ label }) => label)}
      onClear={() => onChange(chosen.reduce<string | undefined>((left, { value }) => withoutTerm(left, value), q))}
      foot={`${chosen.length} of ${choices.length}`}
    >
      {() => (
        <CheckList
          choices={choices}
          chosen={chosen.map(({ value }) => value)}
          isAtLeast={false}
          onChange={(next) => {
            const left = chosen.reduce<string | undefined>((text, { value }) => withoutTerm(text, value), q);
            onChange(next.reduce<string | undefined>((text, value) => withTerm(text, value), left));
          }}
        />
      )}
    </FilterMenu>
  );
}

function markedChoices(marks: MarksById): Choice[] {
  const all = [...marks.values()];
  const count = (test: (mark: (typeof all)[number]) => boolean) => all.filter(test).length;
  return [
    { value: "is:starred", label: "Starred", count: count((mark) => mark.isStarred) },
    { value: "is:saved", label: "Saved to folder", count: count((mark) => mark.savedAtMs !== undefined) },
    ...knownTags(marks).map((tag) => ({
      value: tagTerm(tag),
      label: tag,
      count: count((mark) => mark.tags.includes(tag)),
    })),
  ];
}
