import type { MarksById } from "#jobs/marks/marks-store.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { HistoryEntry } from "../history-entry.ts";
import type { HistorySearch } from "../history-search.ts";
import { compileTerms, kindsByModel } from "./match-entry.ts";
import { readQuery, type Term } from "./query-grammar.ts";

export interface IndexSearch {
  entries: readonly HistoryEntry[];
  /** What words are looked for in, at the same places. Asked only where there are words. */
  texts: () => readonly string[];
  /** `*` finds everything. */
  query: string;
  filters: Pick<HistorySearch, "model" | "type" | "status" | "after" | "before">;
  marks: MarksById;
  prices: ReadonlyMap<string, MicroUsd>;
  nowMs: number;
}

/** Every indexed job that a search and the filters of the address let through, newest first. */
export function searchIndex({ entries, query, filters, marks, prices, nowMs, ...index }: IndexSearch): HistoryEntry[] {
  const terms = query.trim() === "*" ? [] : readQuery(query);
  const test = compileTerms([...filterTerms(filters), ...terms], {
    marks,
    nowMs,
    kindsOf: () => kindsByModel(entries),
  });
  const asksPrice = terms.some((term) => term.field === "cost");
  const texts = terms.some((term) => term.field === "text") ? index.texts() : [];
  const isExact = filters.model?.toLowerCase();
  const found: HistoryEntry[] = [];
  for (let place = 0; place < entries.length; place++) {
    const entry = entries[place] as HistoryEntry;
    const priced = asksPrice ? withPrice(entry, prices) : entry;
    if (!test(priced, texts[place] ?? "")) continue;
    if (isExact !== undefined && entry.model?.toLowerCase() !== isExact) continue;
    found.push(withPrice(entry, prices));
  }
  return found;
}

/**
 * Searches for words of the newest job, so that the engine has compiled the search before a person waits for it: the
 * first two of a session take twice as long as the later ones.
 */
export function rehearseSearch(index: Pick<IndexSearch, "entries" | "texts">): void {
  const words = index.entries[0]?.prompt.split(/\W+/, 3).join(" ") || "a -b";
  searchIndex({ ...index, query: words, filters: {}, marks: new Map(), prices: new Map(), nowMs: 0 });
}

function filterTerms(filters: IndexSearch["filters"]): Term[] {
  const fields = ["type", "status", "after", "before"] as const;
  return fields.flatMap((field) => {
    const value = filters[field];
    return value ? [{ isNot: false, field, value, compare: "is" as const }] : [];
  });
}

function withPrice(entry: HistoryEntry, prices: ReadonlyMap<string, MicroUsd>): HistoryEntry {
  const priceMicroUsd = entry.priceMicroUsd ?? prices.get(entry.requestId);
  return priceMicroUsd === entry.priceMicroUsd ? entry : { ...entry, priceMicroUsd };
}
