import { useNavigate, useSearch } from "@tanstack/react-router";
import { SPEND_RANGES } from "#ledger/spend-ranges.ts";
import { LINE_STATES, type SpendFilter } from "#ledger/spend-view.ts";
import { asFilledText, asOneOf, isRecord } from "#lib/read.ts";

/** The address of Spend: the range and the filters, each left out where it is the usual one. */
export interface SpendSearch {
  range?: string;
  model?: string;
  project?: string;
  state?: string;
}

/** Lines that name no model, or no project, as the address says it. */
const NONE = "none";

const fromWord = (word: string | undefined) => (word === NONE ? "" : word);

/** The search part of `/spend`, validated: unknown values are left out. */
export function readSpendSearch(raw: unknown): SpendFilter {
  if (!isRecord(raw)) return { range: "30" };
  // An address reads 30 as a number.
  const range = asOneOf(String(raw.range ?? ""), SPEND_RANGES) ?? "30";
  const text = (value: unknown) => (typeof value === "number" ? String(value) : asFilledText(value)?.slice(0, 300));
  return {
    range,
    model: fromWord(text(raw.model)),
    project: fromWord(text(raw.project)),
    state: asOneOf(raw.state, LINE_STATES),
  };
}

function toSearch({ range, model, project, state }: SpendFilter): SpendSearch {
  return {
    ...(range === "30" ? {} : { range }),
    ...(model === undefined ? {} : { model: model || NONE }),
    ...(project === undefined ? {} : { project: project || NONE }),
    ...(state === undefined ? {} : { state }),
  };
}

/** The filter of the address, and the way to change a part of it. Going back undoes a change. */
export function useSpendFilter(): [filter: SpendFilter, change: (part: Partial<SpendFilter>) => void] {
  const filter = readSpendSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  return [
    filter,
    (part) => void navigate({ to: ".", search: toSearch({ ...filter, ...part }) as never, resetScroll: false }),
  ];
}
