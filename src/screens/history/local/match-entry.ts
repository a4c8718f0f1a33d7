import type { MediaKind } from "#api/types.ts";
import type { MarksById } from "#jobs/marks/marks-store.ts";
import { retentionTone } from "#media/retention.ts";
import { keptDays } from "../entry-facts.ts";
import type { HistoryEntry } from "../history-entry.ts";
import { daySeconds } from "../history-search.ts";
import type { Term } from "./query-grammar.ts";

const MICRO_PER_DOLLAR = 1_000_000;
const LONGEST_TEXT = 600;

export interface MatchContext {
  marks: MarksById;
  nowMs: number;
  /** What each model makes, as far as its other jobs show: for jobs without a file. Asked only where a term needs it. */
  kindsOf: () => KindsByModel;
}

export type KindsByModel = ReadonlyMap<string, ReadonlySet<MediaKind>>;

/** What each model was seen to make. */
export function kindsByModel(entries: readonly HistoryEntry[]): KindsByModel {
  const kinds = new Map<string, Set<MediaKind>>();
  for (const { model, media } of entries) {
    const [first] = media;
    if (!first || model === undefined) continue;
    const known = kinds.get(model);
    if (known) known.add(first.kind);
    else kinds.set(model, new Set([first.kind]));
  }
  return kinds;
}

/** What a search looks through, joined once per job: the prompt, the model, the id and the parameters, in lower case. */
export function searchText({ prompt, model, requestId, payload }: HistoryEntry): string {
  let parameters = "";
  // Put together by hand: a hundred thousand jobs are opened at once, and a copy of each payload is most of the time.
  for (const name in payload) {
    const value = payload[name];
    if (value === prompt || value === null || parameters.length > LONGEST_TEXT) continue;
    const text = typeof value === "object" ? JSON.stringify(value) : typeof value === "string" ? `"${value}"` : value;
    parameters += `"${name}":${text},`;
  }
  return `${prompt}\n${model ?? ""}\n${requestId}\n${parameters.slice(0, LONGEST_TEXT)}`.toLowerCase();
}

type Test = (entry: HistoryEntry, text: string) => boolean;

/** One test for all terms, made once per search. The cheap ones come first. */
export function compileTerms(terms: readonly Term[], context: MatchContext): Test {
  const tests = terms.map((term) => {
    const test = testOf(term, context);
    return term.isNot ? (entry: HistoryEntry, text: string) => !test(entry, text) : test;
  });
  return (entry, text) => {
    for (const test of tests) if (!test(entry, text)) return false;
    return true;
  };
}

function testOf({ field, value, compare }: Term, { marks, nowMs, kindsOf }: MatchContext): Test {
  switch (field) {
    case "text":
      return (_, text) => text.includes(value);
    case "model":
      return (entry) => entry.model?.toLowerCase().includes(value) ?? false;
    case "status":
      return (entry) => value.split(",").includes(entry.status);
    case "type":
      return typeTest(value.split(","), kindsOf());
    case "id":
      return (entry) => entry.requestId.toLowerCase().startsWith(value);
    case "seed":
      return (entry) => String(entry.payload?.seed ?? "") === value;
    case "tag":
      return (entry) => marks.get(entry.requestId)?.tags.includes(value) ?? false;
    case "is":
      return stateTest(value, marks, nowMs);
    case "cost":
      return costTest(value, compare);
    case "before":
    case "after":
      return dayTest(field, value);
  }
}

// A job that failed has no file to tell its type, and its record names none (spec 4.1): its model's other jobs do.
function typeTest(types: readonly string[], kinds: KindsByModel): Test {
  return ({ media, model }) => {
    if (media.length > 0) return media.some((item) => types.includes(item.kind));
    const made = model === undefined ? undefined : kinds.get(model);
    return made !== undefined && types.some((type) => made.has(type as MediaKind));
  };
}

function stateTest(value: string, marks: MarksById, nowMs: number): Test {
  if (value === "starred") return (entry) => marks.get(entry.requestId)?.isStarred ?? false;
  if (value === "saved") return (entry) => marks.get(entry.requestId)?.savedAtMs !== undefined;
  if (value === "expired") return (entry) => (keptDays(entry, nowMs) ?? 1) <= 0;
  if (value !== "expiring") return () => false;
  return (entry) => {
    const days = keptDays(entry, nowMs);
    return days !== undefined && ["soon", "last"].includes(retentionTone(days));
  };
}

// Prices are known only of jobs submitted in this browser: of others nothing is claimed.
function costTest(value: string, compare: Term["compare"]): Test {
  const wanted = Math.round(Number(value.replace(/^\$/, "")) * MICRO_PER_DOLLAR);
  if (!Number.isFinite(wanted)) return () => false;
  return ({ priceMicroUsd }) => {
    if (priceMicroUsd === undefined) return false;
    if (compare === ">") return priceMicroUsd > wanted;
    return compare === "<" ? priceMicroUsd < wanted : priceMicroUsd === wanted;
  };
}

function dayTest(field: "before" | "after", value: string): Test {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return () => false;
  // A day is whole: before it ends with it, after it begins with it, as in the filters.
  const bound = daySeconds(value, field === "before" ? 1 : 0);
  return ({ createdAtSeconds }) => {
    if (createdAtSeconds === undefined) return false;
    return field === "before" ? createdAtSeconds < bound : createdAtSeconds >= bound;
  };
}
