import { asAddressText, asRecord, asText, asTexts } from "#lib/read.ts";
import type { ViewedFile } from "#results/viewer/strip.ts";

export const JOB_TYPES = ["image", "video", "audio"] as const;
export const JOB_STATUSES = ["queued", "success", "failed", "cancelled"] as const;

/**
 * The parameters of History's URL: filters, query and view, without defaults. What older URLs say of pages is
 * ignored.
 */
export interface HistorySearch {
  /** Model ids, comma-separated: see `getSearchedModels`. */
  model?: string | undefined;
  /** Comma-separated `JOB_TYPES`, in their order. */
  type?: string | undefined;
  /** Comma-separated `JOB_STATUSES`, in their order. */
  status?: string | undefined;
  /** The first local day, such as `2026-11-20`. */
  after?: string | undefined;
  /** The last local day, included. */
  before?: string | undefined;
  view?: "table" | undefined;
  /** The job in the viewer, with `~2` for its second file: see `readViewedFile`. */
  open?: string | undefined;
  /** Ids of the jobs that are compared, comma-separated. */
  compare?: string | undefined;
  /** The query: see `readQuery`. `*`, in older URLs, is everything. */
  q?: string | undefined;
}

/** The search part of `/history`, validated: what is not understood is undefined. */
export function readHistorySearch(raw: unknown): HistorySearch {
  const { model, type, status, after, before, view, q, open, compare } = asRecord(raw);
  const query = searchText(q);
  return {
    model: searchText(model, MAX_MODELS_CHARACTERS),
    type: knownWords(type, JOB_TYPES),
    status: knownWords(status, JOB_STATUSES),
    after: readDay(after),
    before: readDay(before),
    view: view === "table" ? view : undefined,
    q: query?.trim() === "*" ? undefined : query,
    open: searchText(open),
    compare: searchText(compare),
  };
}

/** Changing these does not change which jobs are listed. */
const UNLISTED = ["view", "open", "compare"];

/** The parameters after a change. One that lists other jobs closes the viewer and the comparison. */
export function changedSearch(
  search: HistorySearch,
  change: Partial<Record<keyof HistorySearch, unknown>>,
): HistorySearch {
  const keepsList = Object.keys(change).every((name) => UNLISTED.includes(name));
  const overlays = keepsList ? {} : { open: undefined, compare: undefined };
  return readHistorySearch({ ...search, ...overlays, ...change });
}

const MAX_MODELS_CHARACTERS = 3000;

/** The ids of the models that are asked for; a comma inside an id is written as `%2C`. */
export function getSearchedModels({ model }: Pick<HistorySearch, "model">): string[] {
  return (model ?? "").split(",").flatMap((id) => (id.trim() === "" ? [] : [id.trim().replaceAll(/%2c/gi, ",")]));
}

/** Model ids as `getSearchedModels` reads them; undefined for none. */
export function modelsText(ids: readonly string[]): string | undefined {
  return ids.length === 0 ? undefined : ids.map((id) => id.replaceAll(",", "%2C")).join(",");
}

/** How many of the service's filters are set. */
export function filterCount({ model, type, status, after, before }: HistorySearch): number {
  return [model, type, status, after, before].filter(Boolean).length;
}

/** The start of the local day `days` after `day`, in Unix seconds. */
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

/** Equal for two URLs that list the same jobs. While it stays the same, scroll position and selection stay. */
export function listKey({ model, type, status, after, before, q }: HistorySearch): string {
  return JSON.stringify([model, type, status, after, before, q]);
}

/** The file in the viewer as `open` of the address: the id of its job, and `~2` for its second file. */
export function viewedFileText({ id, file }: ViewedFile): string {
  return file > 0 ? `${id}~${file + 1}` : id;
}

/** Reads `open` of the URL; `file` counts from 0. */
export function readViewedFile(text: string): ViewedFile {
  const match = /^(.+)~(\d{1,3})$/.exec(text);
  if (!match?.[1]) return { id: text, file: 0 };
  return { id: match[1], file: Math.max(0, Number(match[2]) - 1) };
}
