// The search of History: reads a query into terms, tests jobs of the index against them, and says what is wrong with a term.

import type { MediaKind } from "#api/types.ts";
import { RETENTION_DAYS, retentionTone } from "#media/retention.ts";
import type { MarksById } from "#results/marks/marks.ts";
import { filesDaysLeft } from "#runs/job-facts.ts";
import { getPrompt } from "#runs/job-inputs.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { daySeconds, getSearchedModels, type HistorySearch } from "../history-search.ts";

type SearchedFields = Pick<HistorySearch, "q" | "model" | "type" | "status" | "after" | "before">;

interface IndexSearch {
  entries: readonly JobRecord[];
  /**
   * The text of each job that is searched for words, at the same index as in `entries`. Called only where the search has
   * words; made here where it is absent.
   */
  texts?: () => readonly string[];
  /** The filters and the query of the URL; `*`, or no `q`, finds everything. */
  search: SearchedFields;
  marks: MarksById;
  nowMs: number;
}

/** The jobs of `entries` that match the query and the filters, in the same order. */
export function searchIndex({ entries, texts, search, marks, nowMs }: IndexSearch): readonly JobRecord[] {
  const { q = "*", model } = search;
  const typed = q.trim() === "*" ? [] : readQuery(q);
  const terms = [...filterTerms(search), ...typed];
  if (terms.length === 0 && !model) return entries;
  const test = compileTerms(terms, { marks, nowMs, kindsOf: () => kindsByModel(entries) });
  const hasWords = typed.some((term) => term.field === "text");
  const words = hasWords ? (texts?.() ?? entries.map(searchText)) : [];
  const models = model ? new Set(getSearchedModels({ model }).map((id) => id.toLowerCase())) : undefined;
  const found: JobRecord[] = [];
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index] as JobRecord;
    if (!test(entry, words[index] ?? "")) continue;
    if (models && !models.has(entry.model?.toLowerCase() ?? "")) continue;
    found.push(entry);
  }
  return found;
}

function filterTerms(search: SearchedFields): Term[] {
  const fields = ["type", "status", "after", "before"] as const;
  return fields.flatMap((field) => {
    const value = search[field];
    return value ? [{ isNot: false, field, value, compare: "is" as const }] : [];
  });
}

const MICRO_PER_DOLLAR = 1_000_000;
/** More would slow down a search of a hundred thousand jobs; the prompt is searched whole. */
const MAX_PARAMETER_CHARACTERS = 600;

interface MatchContext {
  marks: MarksById;
  nowMs: number;
  /**
   * The kinds of files that each model's jobs have; they decide for jobs without a file. Called only if a term needs them.
   */
  kindsOf: () => KindsByModel;
}

type KindsByModel = ReadonlyMap<string, ReadonlySet<MediaKind>>;

/** The kinds of files that each model has made so far. */
function kindsByModel(entries: readonly JobRecord[]): KindsByModel {
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

/**
 * The searched text of a job, in lower case: the prompt, the model, the id and the first `MAX_PARAMETER_CHARACTERS` characters
 * of the parameters.
 */
export function searchText(job: JobRecord): string {
  const { model, requestId, payload } = job;
  const prompt = getPrompt(job);
  let parameters = "";
  // Not `JSON.stringify` of a filtered copy: with a hundred thousand jobs the copies take most of the time.
  for (const name in payload) {
    const value = payload[name];
    if (value === prompt || value === null || parameters.length > MAX_PARAMETER_CHARACTERS) continue;
    const text = typeof value === "object" ? JSON.stringify(value) : typeof value === "string" ? `"${value}"` : value;
    parameters += `"${name}":${text},`;
  }
  return `${prompt}\n${model ?? ""}\n${requestId}\n${parameters.slice(0, MAX_PARAMETER_CHARACTERS)}`.toLowerCase();
}

type Test = (entry: JobRecord, text: string) => boolean;

/**
 * One test for all terms, made once per search. The terms of the filters come first and those of the query follow as they
 * were typed; the first that fails ends it.
 */
function compileTerms(terms: readonly Term[], context: MatchContext): Test {
  const tests = terms.map((term) => {
    const test = createTest(term, context);
    return term.isNot ? (entry: JobRecord, text: string) => !test(entry, text) : test;
  });
  return (entry, text) => {
    for (const test of tests) if (!test(entry, text)) return false;
    return true;
  };
}

function createTest({ field, value, compare }: Term, { marks, nowMs, kindsOf }: MatchContext): Test {
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
    case "expires":
      return expiryTest(value, compare, nowMs);
    case "before":
    case "after":
      return dayTest(field, value);
  }
}

// A failed job has no file, and its record names no type (spec 4.1), so the other jobs of its model decide.
function typeTest(types: readonly string[], kinds: KindsByModel): Test {
  return ({ media, model }) => {
    if (media.length > 0) return media.some((item) => types.includes(item.kind));
    const modelKinds = model === undefined ? undefined : kinds.get(model);
    return modelKinds !== undefined && types.some((type) => modelKinds.has(type as MediaKind));
  };
}

const STATES = ["starred", "saved", "expiring", "expired"];

function stateTest(value: string, marks: MarksById, nowMs: number): Test {
  if (value === "starred") return (entry) => marks.get(entry.requestId)?.isStarred ?? false;
  if (value === "saved") return (entry) => marks.get(entry.requestId)?.savedAtMs !== undefined;
  if (value === "expired") return (entry) => (filesDaysLeft(entry, nowMs) ?? 1) <= 0;
  if (value !== "expiring") return () => false;
  return (entry) => {
    const days = filesDaysLeft(entry, nowMs);
    return days !== undefined && ["soon", "last"].includes(retentionTone(days));
  };
}

// `CHECKS` and the search read a value with the same function, so that both agree on what a number is.
const readDollars = (value: string) =>
  /^\$?(\d+(\.\d*)?|\.\d+)$/.test(value) ? Number(value.replace("$", "")) : undefined;
const readDays = (value: string) => (/^\d+(\.\d+)?d?$/.test(value) ? Number.parseFloat(value) : undefined);

// A job from elsewhere has only an estimated price. A job without any price meets no condition on cost.
function costTest(value: string, compare: Term["compare"]): Test {
  const dollars = readDollars(value);
  if (dollars === undefined) return () => false;
  const wanted = Math.round(dollars * MICRO_PER_DOLLAR);
  return ({ priceMicroUsd, estimatedMicroUsd }) => {
    const price = priceMicroUsd ?? estimatedMicroUsd;
    if (price === undefined) return false;
    return meetsComparison(price, compare, wanted);
  };
}

function meetsComparison(value: number, compare: Term["compare"], wanted: number): boolean {
  if (value === wanted) return compare === "is" || compare === ">=" || compare === "<=";
  return compare.startsWith(value > wanted ? ">" : "<");
}

const DAY_MS = 86_400_000;

// Only for jobs whose files still exist. `<` and `>` compare to the second, so that `expires<7` means exactly 7 days.
function expiryTest(value: string, compare: Term["compare"], nowMs: number): Test {
  const days = readDays(value);
  if (days === undefined) return () => false;
  return (entry) => {
    const { createdAtSeconds } = entry;
    if (createdAtSeconds === undefined || (filesDaysLeft(entry, nowMs) ?? 0) <= 0) return false;
    const left = ((createdAtSeconds + RETENTION_DAYS * (DAY_MS / 1000)) * 1000 - nowMs) / DAY_MS;
    return compare === "is" ? Math.ceil(left) === Math.ceil(days) : meetsComparison(left, compare, days);
  };
}

function dayTest(field: "before" | "after", value: string): Test {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return () => false;
  // Both days are included, as in the filters.
  const bound = daySeconds(value, field === "before" ? 1 : 0);
  return ({ createdAtSeconds }) => {
    if (createdAtSeconds === undefined) return false;
    return field === "before" ? createdAtSeconds < bound : createdAtSeconds >= bound;
  };
}

/** One condition of a search: a word of the text, or a named fact. */
interface Term {
  isNot: boolean;
  /** `text`, or the name before the colon. */
  field: Field;
  /** Lower case. */
  value: string;
  compare: "is" | ">" | ">=" | "<" | "<=";
}

const FIELDS = [
  "text",
  "model",
  "status",
  "type",
  "seed",
  "tag",
  "is",
  "cost",
  "expires",
  "before",
  "after",
  "id",
] as const;
type Field = (typeof FIELDS)[number];

// A term: an optional minus, an optional name with a sign, then a quoted or a plain value.
const TERM = /(-)?(?:([a-z]+)(:|>=?|<=?))?(?:"([^"]*)"?|(\S+))/giu;

/**
 * The terms of a search, all of which must hold: words, "quoted phrases", `model:` `status:` `type:` `seed:` `tag:` `id:`
 * `is:starred` `is:saved` `is:expiring` `is:expired` `cost>0.5` `expires<7` `before:2026-11-01` `after:2026-11-01`, each with
 * `-` for its opposite. An unknown name is taken as text, with its colon.
 */
export function readQuery(query: string): Term[] {
  return Array.from(query.matchAll(TERM), ([whole, minus, name, sign, quoted, plain]) => {
    const field = FIELDS.find((known) => known === name?.toLowerCase() && known !== "text");
    const text = (quoted ?? plain ?? "").toLowerCase();
    const isNot = minus === "-";
    if (!field || !sign)
      return { isNot, field: "text", value: name ? plainText(whole, isNot) : text, compare: "is" } as const;
    const value = field === "status" ? statusValue(text) : text;
    const compare = sign === ":" ? "is" : (sign as Term["compare"]);
    return { isNot, field, value, compare } as const;
  }).filter((term) => term.value !== "");
}

// "Done" is the word on the screen for the service's `success`, and no job has a status `done`: the reader of jobs makes it
// `success`, too.
const statusValue = (text: string) => text.replace(/(^|,)done(?=,|$)/g, "$1success");

function plainText(whole: string, isNot: boolean): string {
  return (isNot ? whole.slice(1) : whole).replaceAll('"', "").toLowerCase();
}

/** The local day that was `daysBack` days ago, as `2026-11-20`. */
export function localDay(nowMs: number, daysBack: number): string {
  const now = new Date(nowMs);
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** Whether a query contains a term, written in the same way. */
export function hasTerm(query: string | undefined, term: string): boolean {
  return ` ${query ?? ""} `.includes(` ${term} `);
}

/** The query with one more term. */
export function withTerm(query: string | undefined, term: string): string {
  if (hasTerm(query, term)) return query ?? term;
  return query === undefined || query === "*" || query.trim() === "" ? term : `${query.trim()} ${term}`;
}

/** The query without a term; undefined if it was the only one. */
export function withoutTerm(query: string | undefined, term: string): string | undefined {
  return ` ${query ?? ""} `.replace(` ${term} `, " ").trim() || undefined;
}

/** A part of a query as it is written: a term with a name, or the text between two such terms. */
interface QueryPart {
  text: string;
  isTerm: boolean;
  /** What is wrong with the term, in words. */
  wrong?: string;
}

const NAMED_TERM = /-?([a-z]+)(:|>=?|<=?)("[^"]*"?|\S*)/giu;

/** Splits a query into its parts, which joined are the query again. */
export function queryParts(query: string): QueryPart[] {
  const parts: QueryPart[] = [];
  let at = 0;
  for (const match of query.matchAll(NAMED_TERM)) {
    const [text, name = "", , value = ""] = match;
    const check = CHECKS[name.toLowerCase()];
    const isWhole = match.index === 0 || /\s/.test(query[match.index - 1] ?? "");
    if (!check || !isWhole) continue;
    if (match.index > at) parts.push({ text: query.slice(at, match.index), isTerm: false });
    const wrong = check(value.replaceAll('"', "").toLowerCase());
    parts.push({ text, isTerm: true, ...(wrong === undefined ? {} : { wrong: `“${text}”: ${wrong}` }) });
    at = match.index + text.length;
  }
  if (at < query.length) parts.push({ text: query.slice(at), isTerm: false });
  return parts;
}

/** Takes a value in lower case and says what is wrong with it; undefined where the search understands it. */
type Check = (value: string) => string | undefined;

const oneOf =
  (known: readonly string[], example: string): Check =>
  (value) =>
    known.includes(value) ? undefined : `use ${example}.`;
const someOf = (known: readonly string[], example: string): Check => {
  const isOne = oneOf(known, example);
  return (value) => value.split(",").map(isOne).find(Boolean);
};
const number =
  (read: (value: string) => number | undefined, example: string): Check =>
  (value) =>
    read(value) === undefined ? `use a number, such as ${example}.` : undefined;
const day: Check = (value) => {
  const isShaped = /^\d{4}-\d\d-\d\d$/.test(value);
  const date = isShaped ? new Date(`${value}T00:00:00Z`) : undefined;
  const isReal = date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
  return isReal ? undefined : "use a date, such as 2026-11-01.";
};
const anything =
  (example: string): Check =>
  (value) =>
    value === "" ? `add a value, such as ${example}.` : undefined;

const CHECKS: Record<string, Check> = {
  model: anything("model:flux"),
  tag: anything("tag:client"),
  id: anything("id:req_"),
  seed: anything("seed:42"),
  // A service may have states of its own.
  status: anything("status:done"),
  type: someOf(["image", "video", "audio", "other"], "image, video or audio"),
  is: oneOf(STATES, "starred, saved, expiring or expired"),
  cost: number(readDollars, "cost>0.5"),
  expires: number(readDays, "expires<7"),
  before: day,
  after: day,
};

/** The fact of a job that a filter with choices is about. */
export type Facet = "model" | "type" | "status";

/** How many jobs each choice of a filter finds, under all the other filters and the search. */
export function getFacetCounts(facet: Facet, asked: IndexSearch): ReadonlyMap<string, number> {
  return countBy(facet, searchIndex({ ...asked, search: { ...asked.search, [facet]: undefined } }), asked.entries);
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
