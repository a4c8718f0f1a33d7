import { isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { inlineMedia, kindOfUrl, saidKind, saidMeasures } from "./media-kind.ts";
import type { MediaItem } from "./types.ts";

const MAX_ITEMS = 200;
/** How many values of an answer are visited, and how deep. A hostile one may have millions of values or levels. */
const MAX_VALUES = 50_000;
const MAX_DEPTH = 24;
/** How many texts inside the answer are parsed as JSON. */
const MAX_PARSED = 5;
const MAX_PARSED_LENGTH = 500_000;
const MAX_ADDRESS_LENGTH = 8192;

interface Found {
  url: string;
  /** The keys on the way, outermost first. */
  keys: readonly string[];
  record: JsonRecord;
  isThumbnail: boolean;
  /** It stands where no file of an outcome stands, such as in an error or an echoed input. */
  isElsewhere: boolean;
  poster?: string;
}

interface Place extends Pick<Found, "keys" | "isThumbnail" | "isElsewhere"> {
  record: JsonRecord;
  depth: number;
}

interface Search {
  values: number;
  found: number;
  parsed: number;
}

/**
 * Every generated file that an outcome names, 200 at most, each address once. Spec 2 shows `media_urls[]` with id, type and
 * url, and these come first; real outcomes have files anywhere, under any name, as addresses or as base64.
 *
 * A thumbnail belongs to the file beside it, and is a file only where there is no other. An address in an error or in a
 * repeated input is one only where there is nothing else, and then `isElsewhere`. An address that is in `payload` is never
 * a result. A path without a host stays one, for `locateMedia`. The list may be empty: a success without a file is legal.
 */
export function readMedia(outcome: unknown, payload?: unknown): MediaItem[] {
  const search: Search = { values: 0, found: 0, parsed: 0 };
  const place: Place = { keys: [], record: {}, isThumbnail: false, isElsewhere: false, depth: 0 };
  const found = collect(outcome, place, search);
  const echoed = new Set(addressesOf(payload));
  const results = found.filter(({ isElsewhere, url }) => !isElsewhere && !echoed.has(url));
  const files = results.filter(({ isThumbnail }) => !isThumbnail);
  const mentioned = found.map((item) => ({ ...item, isElsewhere: true }));
  const shown = [files, results, mentioned.filter((item) => kindOf(item) !== "other")].find((list) => list.length > 0);
  const unique = new Map<string, Found>();
  for (const item of shown ?? []) {
    const known = unique.get(item.url);
    if (known === undefined) unique.set(item.url, item);
    else if (item.poster !== undefined) known.poster ??= item.poster;
  }
  return withIds([...unique.values()].slice(0, MAX_ITEMS));
}

const THUMBNAIL_KEY = /thumb|poster|cover|preview/i;
/** Names under which an outcome repeats what it was given, or speaks: an address there is no result. */
const NO_RESULT = /input|payload|request|prompt|param|error|message|reason|detail|\blogs?\b|source|webhook|callback/i;
/** Names of addresses of the service, or of pages about it, which are no files. */
const NO_FILE =
  /^(status|cancel|response|poll|polling|get|self|docs?|documentation|help|icon|logo|avatar|licen[cs]e|terms|homepage|website|web|dashboard|stream|next|previous|model|profile)(ur[li]|href|link)$/;
const NO_FILE_PLAIN = /^(homepage|website|licen[cs]e|terms|docs|documentation)$/;
const NO_FILE_OF_LINKS = /^(get|cancel|stream|web|self|status|next|previous|page)$/;
const LINKS_KEY = /^(urls|links)$/;
const URL_KEY = /(ur[li]|href|link)s?$/i;
/** Prefixes of another address of the same file: `download_url` where there is a `url`. */
const ALTERNATE = /^(download|signed|presigned|cdn|backup|public|stream|raw|proxy|permanent|temporary)_?(?=[a-z])/i;

const plain = (key: string) => key.toLowerCase().replace(/[_-]/g, "");

function collect(value: unknown, place: Place, search: Search): Found[] {
  search.values += 1;
  if (place.depth > MAX_DEPTH || search.values > MAX_VALUES || search.found > MAX_ITEMS * 2) return [];
  if (typeof value === "string") return collectText(value, place, search);
  if (Array.isArray(value)) {
    const inner = { ...place, record: {}, depth: place.depth + 1 };
    return collectEach(value, (entry) => collect(entry, inner, search), search);
  }
  if (!isRecord(value)) return [];
  const keys = Object.keys(value);
  const mediaUrlKeys = keys.filter((key) => plain(key) === "mediaurls");
  const ordered =
    mediaUrlKeys.length > 0 ? [...mediaUrlKeys, ...keys.filter((key) => !mediaUrlKeys.includes(key))] : keys;
  const found = collectEach(ordered, (key) => collect(value[key], placeOf(key, value, place), search), search);
  pairThumbnails(found);
  return found;
}

/** `flatMap` that ends once enough was found, and does not spread hundreds of thousands of empty lists. */
function collectEach<Entry>(entries: readonly Entry[], each: (entry: Entry) => Found[], search: Search): Found[] {
  const found: Found[] = [];
  for (const entry of entries) {
    if (search.values > MAX_VALUES) break;
    for (const item of each(entry)) found.push(item);
  }
  return found;
}

function placeOf(key: string, record: JsonRecord, { keys, isThumbnail, isElsewhere, depth }: Place): Place {
  const parent = keys.at(-1) ?? "";
  // The `message` of a chat answer is the result, and no message about it.
  const isAnswer = /^(choices|candidates)$/i.test(parent) && /^message$/i.test(key);
  const isLink =
    NO_FILE.test(plain(key)) ||
    NO_FILE_PLAIN.test(plain(key)) ||
    (LINKS_KEY.test(plain(parent)) && NO_FILE_OF_LINKS.test(plain(key)));
  return {
    keys: [...keys, key],
    record,
    isThumbnail: isThumbnail || THUMBNAIL_KEY.test(key),
    isElsewhere: isElsewhere || isLink || (NO_RESULT.test(key) && !isAnswer),
    depth: depth + 1,
  };
}

function collectText(text: string, place: Place, search: Search): Found[] {
  const key = place.keys.at(-1) ?? "";
  if (/^\s*[[{]/.test(text) && text.length <= MAX_PARSED_LENGTH && search.parsed < MAX_PARSED) {
    search.parsed += 1;
    const inner = tryParseJson(text);
    return typeof inner === "object" ? collect(inner, { ...place, depth: place.depth + 1 }, search) : [];
  }
  const url = addressOf(text, key) ?? inlineMedia(text, key, place.record);
  if (url === undefined || isAlternate(key, place.record)) return [];
  search.found += 1;
  const { keys, record, isThumbnail, isElsewhere } = place;
  return [{ url, keys, record, isThumbnail, isElsewhere }];
}

function isAlternate(key: string, record: JsonRecord): boolean {
  const other = key.replace(ALTERNATE, "");
  const lower = other.charAt(0).toLowerCase() + other.slice(1);
  return other !== key && typeof (record[other] ?? record[lower]) === "string";
}

/**
 * The address that a text is as a whole; undefined for a text that only mentions one, and for `javascript:` and the like.
 * `s3://` and its like are files too, although no browser can fetch them.
 */
function addressOf(raw: string, key: string): string | undefined {
  if (raw.length > MAX_ADDRESS_LENGTH) return undefined;
  const text = raw.trim();
  if (/^https?:\/\/[^\s<>"]+$/i.test(text)) return URL.canParse(text) ? text : undefined;
  if (/^(s3|gs|gcs|r2|az|abfss?|wasbs?|oss|cos|ipfs|hf):\/\/[^\s<>"]+$/i.test(text)) return text;
  if (/^\/\/[^\s/<>"]+\.[^\s<>"]+$/.test(text)) return URL.canParse(`https:${text}`) ? `https:${text}` : undefined;
  if (!URL_KEY.test(key) || /[<>"\\\p{Cc}]/u.test(text)) return undefined;
  // A file name with spaces, and a path of the service.
  if (/^https?:\/\/[^\s]+\/.*\.\w{2,5}$/i.test(text)) return URL.canParse(text) ? new URL(text).href : undefined;
  return /^\/[^/\s][^\s]*$/.test(text) ? text : undefined;
}

/** The same job, with the paths among its files as addresses of the service that named them. */
export function locateMedia<Holder extends { media: MediaItem[] }>(job: Holder, serviceUrl: string): Holder {
  const locate = (url: string) =>
    url.startsWith("/") && URL.canParse(url, serviceUrl) ? new URL(url, serviceUrl).href : url;
  if (!job.media.some(({ url, posterUrl }) => url.startsWith("/") || posterUrl?.startsWith("/"))) return job;
  const media = job.media.map((item) => ({
    ...item,
    url: locate(item.url),
    ...(item.posterUrl === undefined ? {} : { posterUrl: locate(item.posterUrl) }),
  }));
  return { ...job, media };
}

/** Gives files without a thumbnail those beside them: the first to a single file, one to each where counts agree. */
function pairThumbnails(found: readonly Found[]): void {
  const isFree = ({ isElsewhere, poster }: Found) => !isElsewhere && poster === undefined;
  const files = found.filter((item) => !item.isThumbnail && isFree(item));
  if (files.length === 0 || files.length === found.length) return;
  const urls = new Set(files.map(({ url }) => url));
  const taken = new Set(found.map(({ poster }) => poster));
  // A "thumbnail" may be the clip itself, or another clip.
  const posters = found.filter(
    ({ isThumbnail, isElsewhere, url }) =>
      isThumbnail && !isElsewhere && !urls.has(url) && !taken.has(url) && kindOfUrl(url) !== "video",
  );
  if (posters.length === 0 || (files.length > 1 && files.length !== posters.length)) return;
  for (const [index, file] of files.entries()) {
    const poster = posters[index];
    if (poster) file.poster = poster.url;
  }
}

const kindOf = ({ url, keys, record }: Found) => saidKind(url, keys, record);

function withIds(found: readonly Found[]): MediaItem[] {
  const taken = new Set<string>();
  return found.map((item, index) => {
    const { url, record, isElsewhere, poster } = item;
    const namedId = typeof record.id === "number" ? String(record.id) : record.id;
    const id = typeof namedId === "string" && namedId !== "" && !taken.has(namedId) ? namedId : freeId(index, taken);
    taken.add(id);
    return {
      id,
      kind: kindOf(item),
      url,
      ...saidMeasures(record),
      ...(poster === undefined ? {} : { posterUrl: poster }),
      ...(isElsewhere ? { isElsewhere: true } : {}),
    };
  });
}

function freeId(index: number, taken: ReadonlySet<string>): string {
  let id = String(index);
  while (taken.has(id)) id = `${id}-${index}`;
  return id;
}

/** The texts of a payload that are whole addresses. */
function addressesOf(payload: unknown, depth = 0): string[] {
  if (typeof payload === "string") return /^(https?|data):/i.test(payload) ? [payload] : [];
  if (depth > 4 || typeof payload !== "object" || payload === null) return [];
  return Object.values(payload)
    .slice(0, MAX_ITEMS)
    .flatMap((value) => addressesOf(value, depth + 1));
}
