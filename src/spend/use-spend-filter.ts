import { getRouteApi } from "@tanstack/react-router";
import type { SpendFilter } from "./spend-filter.ts";
import { NONE, type SpendSearch, USUAL_RANGE } from "./spend-search.ts";

const route = getRouteApi("/studio/spend");

/** The filter of the address, and the way to change a part of it. Going back undoes a change. */
export function useSpendFilter(): [filter: SpendFilter, change: (part: Partial<SpendFilter>) => void] {
  const filter = toFilter(route.useSearch());
  const navigate = route.useNavigate();
  return [filter, (part) => void navigate({ search: toSearch({ ...filter, ...part }), resetScroll: false })];
}

const fromWord = (word: string | undefined) => (word === NONE ? "" : word);
const toWord = (name: string | undefined) => (name === "" ? NONE : name);

function toFilter({ range = USUAL_RANGE, model, project, state }: SpendSearch): SpendFilter {
  return { range, model: fromWord(model), project: fromWord(project), state };
}

function toSearch({ range, model, project, state }: SpendFilter): SpendSearch {
  return { range: range === USUAL_RANGE ? undefined : range, model: toWord(model), project: toWord(project), state };
}
