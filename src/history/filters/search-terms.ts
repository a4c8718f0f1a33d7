/** Whether a search holds a term as it is written. */
export function hasTerm(query: string | undefined, term: string): boolean {
  return ` ${query ?? ""} `.includes(` ${term} `);
}

/** The search with one more term. */
export function withTerm(query: string | undefined, term: string): string {
  if (hasTerm(query, term)) return query ?? term;
  return query === undefined || query === "*" || query.trim() === "" ? term : `${query.trim()} ${term}`;
}

/** The search without a term; undefined where nothing is left. */
export function withoutTerm(query: string | undefined, term: string): string | undefined {
  return ` ${query ?? ""} `.replace(` ${term} `, " ").trim() || undefined;
}

/** A part of a search as it is written: a term with a name, or what stands between. */
export interface QueryPart {
  text: string;
  isTerm: boolean;
  /** What is wrong with the term, in words. */
  wrong?: string;
}

const NAMED = /-?([a-z]+)(:|>=?|<=?)("[^"]*"?|\S*)/giu;

/** A search in its parts, which together are the text itself. */
export function queryParts(query: string): QueryPart[] {
  const parts: QueryPart[] = [];
  let at = 0;
  for (const match of query.matchAll(NAMED)) {
    const [text, name = "", , value = ""] = match;
    const check = CHECKS[name.toLowerCase()];
    const isWhole = match.index === 0 || /\s/.test(query[match.index - 1] ?? "");
    if (!check || !isWhole) continue;
    if (match.index > at) parts.push({ text: query.slice(at, match.index), isTerm: false });
    const wrong = check(value.replaceAll('"', ""));
    parts.push({ text, isTerm: true, ...(wrong === undefined ? {} : { wrong: `${text}: ${wrong}` }) });
    at = match.index + text.length;
  }
  if (at < query.length) parts.push({ text: query.slice(at), isTerm: false });
  return parts;
}

type Check = (value: string) => string | undefined;

const oneOf =
  (known: readonly string[], example: string): Check =>
  (value) =>
    value.split(",").every((word) => known.includes(word.toLowerCase())) ? undefined : `use ${example}.`;
const number =
  (example: string): Check =>
  (value) =>
    /^\$?\d+(\.\d+)?d?$/.test(value) ? undefined : `write a number, such as ${example}.`;
const day: Check = (value) => {
  const isWritten = /^\d{4}-\d\d-\d\d$/.test(value);
  const date = isWritten ? new Date(`${value}T00:00:00Z`) : undefined;
  const isReal = date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
  return isReal ? undefined : "write a day as year-month-day, such as 2026-11-01.";
};
const anything: Check = (value) => (value === "" ? "write what to look for after it." : undefined);

const CHECKS: Record<string, Check> = {
  model: anything,
  tag: anything,
  id: anything,
  seed: anything,
  // A service may have states of its own.
  status: anything,
  type: oneOf(["image", "video", "audio", "other"], "image, video or audio"),
  is: oneOf(["starred", "saved", "expiring", "expired"], "starred, saved, expiring or expired"),
  cost: number("cost>0.5"),
  expires: number("expires<7"),
  before: day,
  after: day,
};
