import { asAddressText, asRecord, asText, asTexts } from "#lib/read.ts";
import type { ViewedFile } from "#results/viewer/strip.ts";

export const JOB_TYPES = ["image", "video", "audio"] as const;
export const JOB_STATUSES = ["queued", "success", "failed", "cancelled"] as const;

/**
 * The address of History: filters as the service takes them, search and view. Defaults are left out of it, and so is what
 * older addresses have of pages.
 */
export interface HistorySearch {
  /** Ids with commas between: see `getSearchedModels`. */
  model?: string | undefined;
  /** Comma-separated, as the service takes them (spec 4.1). */
  type?: string | undefined;
  status?: string | undefined;
  /** Local days, `2026-11-20`. Both are part of what is asked for. */
  after?: string | undefined;
  before?: string | undefined;
  view?: "table" | undefined;
  /** The job in the viewer, with `~2` for its second file: see `readViewedFile`. */
  open?: string | undefined;
  /** Two to eight jobs side by side, comma-separated. */
  compare?: string | undefined;
  /** What is searched for; see `readQuery`. `*`, of older addresses, is everything. */
  q?: string | undefined;
}

/** The search part of `/history`, validated: what is not understood is undefined. */
export function readHistorySearch(raw: unknown): HistorySearch {
  const { model, type, status, after, before, view, q, open, compare } = asRecord(raw);
  const asked = searchText(q);
  return {
    model: searchText(model, LONGEST_MODELS),
    type: knownWords(type, JOB_TYPES),
    status: knownWords(status, JOB_STATUSES),
    after: readDay(after),
    before: readDay(before),
    view: view === "table" ? view : undefined,
    q: asked?.trim() === "*" ? undefined : asked,
    open: searchText(open),
    compare: searchText(compare),
  };
}

const ASIDE = ["view", "open", "compare"];

/** A search with a change. A change of what is listed closes the viewer. */
export function changedSearch(
  search: HistorySearch,
  change: Partial<Record<keyof HistorySearch, unknown>>,
): HistorySearch {
  const isAside = Object.keys(change).every((name) => ASIDE.includes(name));
  const left = isAside ? {} : { open: undefined, compare: undefined };
  return readHistorySearch({ ...search, ...left, ...change });
}

const LONGEST_MODELS = 3000;

/** The ids of the models that are asked for; a comma inside an id is written as `%2C`. */
export function getSearchedModels({ model }: Pick<HistorySearch, "model">): string[] {
  return (model ?? "").split(",").flatMap((id) => (id.trim() === "" ? [] : [id.trim().replaceAll(/%2c/gi, ",")]));
}

/** What `getSearchedModels` reads; undefined for none. */
export function modelsText(ids: readonly string[]): string | undefined {
  return ids.length === 0 ? undefined : ids.map((id) => id.replaceAll(",", "%2C")).join(",");
}

/** How many of the service's filters are set. */
export function filterCount({ model, type, status, after, before }: HistorySearch): number {
  return [model, type, status, after, before].filter(Boolean).length;
}

/** Start of a local day in Unix seconds, or of the day that many `days` later. */
export function daySeconds(day: string, days = 0): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + days).getTime() / 1000;
}

function searchText(value: unknown, longest = 300): string | undefined {
  const text = asAddressText(value)?.slice(0, longest);
  return text?.trim() === "" ? undefined : text;
}

function knownWords(value: unknown, known: readonly string[]): string | undefined {
  const words = asText(value)?.split(",") ?? asTexts(value);
  const found = known.filter((word) => words.some((candidate) => candidate.trim().toLowerCase() === word));
  return found.length > 0 ? found.join(",") : undefined;
}

function readDay(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  const [year = 0, month = 0, date = 0] = value.split("-").map(Number);
  const parsed = new Date(year, month - 1, date);
  const isReal = parsed.getMonth() === month - 1 && parsed.getDate() === date && year >= 2000;
  return isReal ? value : undefined;
}

/** The part of a search that decides what is listed: while it is the same, place and selection stay. */
export function listKey({ model, type, status, after, before, q }: HistorySearch): string {
  return JSON.stringify([model, type, status, after, before, q]);
}

/** A place of the viewer as it stands in the address: the id of its job, and the file where it is not the first. */
export function viewedFileText({ id, file }: ViewedFile): string {
  return file > 0 ? `${id}~${file + 1}` : id;
}

/** A place of the viewer read from the address. */
export function readViewedFile(text: string): ViewedFile {
  const match = /^(.+)~(\d{1,3})$/.exec(text);
  if (!match?.[1]) return { id: text, file: 0 };
  return { id: match[1], file: Math.max(0, Number(match[2]) - 1) };
}
