import { plainName } from "#lib/find-value.ts";
import { asFilledText, asLooseNumber, isRecord, type JsonRecord } from "#lib/read.ts";
import { UnreadableAnswerError } from "./api-error.ts";
import { tryReadJob } from "./jobs.ts";
import type { Job, JobPage } from "./types.ts";

/** Names of the list, the likeliest first. */
const LISTS =
  "requests jobs tasks predictions generations data items results records history entries rows list runs content docs hits values objects edges nodes".split(
    " ",
  );
/** So many of these say that the list has jobs: under them an entry with a bare id is taken for one. */
const NAMES_OF_JOBS = 5;
/** Names of records in which a list may stand. */
const AROUND_LIST = /^(data|result|response|body|page|payload|embedded|results|requests|jobs)$/;
/** Names of the number of all jobs, the surest first. */
const TOTALS = ["total", "totalcount", "totalitems", "totalresults", "totalrecords", "totalelements", "count"];
/** Records beside a list that say where it ends. */
const ABOUT_PAGES = /^(meta|metadata|pagination|paging|page|pageinfo|paginator|cursors?|links)$/;
const MAX_DEPTH = 4;

/** A list that was found, the records around it from the nearest outwards, and whether its name says that it has jobs. */
interface FoundList {
  entries: unknown[];
  holders: readonly JsonRecord[];
  isOfJobs: boolean;
}

/**
 * Reads the job list (spec 4.1 rule 5: body not shown): `{requests, total}`, or the list under another usual name, in an
 * envelope, as a record of jobs by their ids, or bare. It may be null where it is empty. Throws `UnreadableAnswerError`
 * for an object that shows no sign of being a list, and for a list of other things, so that the answer of some other
 * server is never taken for "no jobs". Entries that are no job are left out.
 */
export function readJobPage(raw: unknown): JobPage {
  if (raw === null) return { jobs: [], total: undefined };
  const found = findList(raw);
  const jobs = found && readJobs(found);
  if (found && jobs) {
    const about = aboutPages(found.holders);
    const total = totalOf(about, found.entries.length);
    const isEmpty = found.entries.length === 0 || (found.isOfJobs && total === 0);
    if (jobs.length > 0 || isEmpty) return { jobs, total, ...readNext(about, found.entries.length) };
  }
  if (!found && isRecord(raw)) {
    const total = totalOf(aboutPages([raw]), 0);
    if (total !== undefined || saysEmpty(raw)) return { jobs: [], total };
  }
  const excerpt = JSON.stringify(raw) ?? "";
  throw new UnreadableAnswerError({ status: 200, excerpt, reason: "The response is not a list of jobs." });
}

/** Whether an object says that there are no jobs: it has no key, or its list is null. */
function saysEmpty(record: JsonRecord): boolean {
  const entries = Object.entries(record);
  const isNullList = ([key, value]: [string, unknown]) => value === null && LISTS.includes(plainName(key));
  const isAbout = ([key, value]: [string, unknown]) => AROUND_LIST.test(plainName(key)) && isRecord(value);
  return (
    entries.length === 0 ||
    entries.some(isNullList) ||
    entries
      .filter(isAbout)
      .some(([, value]) => Object.values(value as JsonRecord).length > 0 && saysEmpty(value as JsonRecord))
  );
}

/** The first list nearest the top, by the order of `LISTS`; a list under any other name where it holds jobs. */
function findList(raw: unknown): FoundList | undefined {
  if (Array.isArray(raw)) return { entries: raw, holders: [], isOfJobs: false };
  let level: JsonRecord[][] = isRecord(raw) ? [[raw]] : [];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    for (const holders of level) {
      const found = listIn(holders);
      if (found) return found;
    }
    level = level.flatMap((holders) =>
      Object.entries(holders[0] ?? {}).flatMap(([key, value]) =>
        isRecord(value) && AROUND_LIST.test(plainName(key)) ? [[value, ...holders]] : [],
      ),
    );
  }
  return undefined;
}

function listIn(holders: readonly JsonRecord[]): FoundList | undefined {
  const byName = new Map(Object.entries(holders[0] ?? {}).map(([key, value]) => [plainName(key), value]));
  for (const [place, name] of LISTS.entries()) {
    const value = byName.get(name);
    const isOfJobs = place < NAMES_OF_JOBS;
    if (Array.isArray(value)) return { entries: value, holders, isOfJobs };
    const mapped = isRecord(value) ? jobsById(value) : undefined;
    if (mapped) return { entries: mapped, holders, isOfJobs };
  }
  for (const value of byName.values()) {
    if (Array.isArray(value) && value.some((entry) => tryReadJob(entry, undefined, 4))) {
      return { entries: value, holders, isOfJobs: false };
    }
  }
  return undefined;
}

/** `{"<id>": {status, …}}` as a list. Undefined where a value is no job. */
function jobsById(record: JsonRecord): unknown[] | undefined {
  const entries = Object.entries(record);
  const jobs = entries.map(([id, value]) => (tryReadJob(value, undefined, 2) ? value : asJobOf(id, value)));
  return entries.length > 0 && jobs.every((job) => job !== undefined) ? jobs : undefined;
}

function asJobOf(id: string, value: unknown): unknown {
  return isRecord(value) && (value.status ?? value.state) !== undefined ? { ...value, request_id: id } : undefined;
}

function readJobs({ entries, isOfJobs }: FoundList): Job[] {
  const jobs = new Map<string, Job>();
  for (const entry of entries) {
    const node: unknown = isRecord(entry) && isRecord(entry.node) ? entry.node : entry;
    const job = tryReadJob(node, undefined, isOfJobs ? 1 : 2);
    if (job !== undefined && !jobs.has(job.requestId)) jobs.set(job.requestId, job);
  }
  return [...jobs.values()];
}

/** The fields beside a list and around it by their plain names; of two with one name the nearer. */
function aboutPages(holders: readonly JsonRecord[]): ReadonlyMap<string, { key: string; value: unknown }> {
  const about = new Map<string, { key: string; value: unknown }>();
  const note = (record: JsonRecord, within: string, depth: number) => {
    for (const [key, value] of Object.entries(record)) {
      const plain = plainName(key);
      if (isRecord(value) && ABOUT_PAGES.test(plain) && depth < 2) note(value, plain, depth + 1);
      else {
        // `cursors: {next}` and `links: {next}` name less than `next_cursor` does.
        const name = /^cursors?$/.test(within) ? `${plain}cursor` : plain;
        if (!about.has(name)) about.set(name, { key, value });
      }
    }
  };
  for (const holder of holders) note(holder, "", 0);
  return about;
}

/** The number of all jobs. A `count` that is no more than what the page lists may be that of the page. */
function totalOf(about: ReturnType<typeof aboutPages>, listed: number): number | undefined {
  for (const name of TOTALS) {
    const value = asLooseNumber(about.get(name)?.value);
    if (value === undefined || !Number.isSafeInteger(value) || value < 0) continue;
    if (name !== "count" || value > listed || listed === 0) return value;
  }
  return undefined;
}

/** What an answer says about its pages, by plain names, with each name as it was spelled. */
type AboutPages = ReadonlyMap<string, { key: string; value: unknown }>;

/** Names of a flag that more follows, and of one that this page is the last. */
const MORE = ["hasmore", "hasnext", "hasnextpage", "more", "moreavailable"];
const LAST = ["islast", "islastpage", "last", "isend", "exhausted"];

/** Names of a place to go on from, and the query parameter for it, which is written in camel case if the name is. */
const NEXT_PLACES: readonly (readonly [string, string])[] = [
  ["nextcursor", "cursor"],
  ["nextpagetoken", "page_token"],
  ["nexttoken", "next_token"],
  ["continuationtoken", "continuation_token"],
  ["endcursor", "after"],
  ["nextoffset", "offset"],
  ["nextpage", "page"],
  ["nextpageurl", "page"],
  ["nexturl", "cursor"],
  ["next", "cursor"],
  ["aftercursor", "after"],
  ["after", "after"],
  ["startingafter", "starting_after"],
  ["cursor", "cursor"],
  ["lastid", "after"],
];
/** Parameters of the list call itself: they are sent as they were, whatever a link repeats. */
const LIST_PARAMETER = /^(limit|model_id|model_type|status|created_(after|before))$/;
const PARAMETER = /^[a-z][\w.[\]-]{0,40}$/i;
const MAX_PARAMETERS = 4;
const MAX_VALUE_LENGTH = 4000;

/**
 * Where a list goes on, as far as its answer says so: `hasMore`, and in `next` the query parameters that lead to the next
 * page in place of an offset. A link is never followed: what counts is its query.
 */
function readNext(about: AboutPages, listed: number): Pick<JobPage, "hasMore" | "next"> {
  const next = listed > 0 ? nextOf(about, listed) : undefined;
  const hasMore = listed === 0 ? false : (saysMore(about) ?? (next === "end" ? false : undefined));
  return {
    ...(hasMore === undefined ? {} : { hasMore }),
    ...(next === undefined || next === "end" || hasMore === false ? {} : { next }),
  };
}

/** Whether more jobs follow, by a flag or by the number of pages. Undefined where the answer does not say it. */
function saysMore(about: AboutPages): boolean | undefined {
  for (const [names, meaning] of [
    [MORE, true],
    [LAST, false],
  ] as const) {
    for (const name of names) {
      const value = about.get(name)?.value;
      const said = typeof value === "string" ? /^(true|false)$/i.exec(value)?.[0].toLowerCase() === "true" : value;
      if (typeof value === "boolean" || /^(true|false)$/i.test(String(value))) return said === meaning;
      if (name !== "last" && typeof value === "number" && value >= 0) return value > 0 === meaning;
    }
  }
  const number = (names: readonly string[]) =>
    names.map((name) => asLooseNumber(about.get(name)?.value)).find((value) => value !== undefined);
  const page = number(["page", "currentpage", "pagenumber"]);
  const pages = number(["totalpages", "pages", "lastpage", "pagecount"]);
  return page === undefined || pages === undefined || page < 1 ? undefined : page < pages;
}

/** The parameters of the next page. `end`: the answer names a place to go on from, and leaves it empty. */
function nextOf(about: AboutPages, listed: number): JobPage["next"] | "end" {
  let isEnd = false;
  for (const [name, parameter] of NEXT_PLACES) {
    const found = about.get(name);
    if (found === undefined) continue;
    const link = isRecord(found.value) ? (found.value.href ?? found.value.url ?? found.value.link) : found.value;
    const value = asFilledText(link) ?? asLooseNumber(found.value)?.toString();
    if (value === undefined) isEnd ||= name.startsWith("next") && (found.value === null || found.value === "");
    else if (value.length <= MAX_VALUE_LENGTH) return paramsOf(value, name, spelled(parameter, found.key), listed);
  }
  return isEnd ? "end" : undefined;
}

const spelled = (parameter: string, key: string) =>
  /[a-z][A-Z]/.test(key) ? parameter.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : parameter;

function paramsOf(value: string, name: string, parameter: string, listed: number): JobPage["next"] {
  const query = /^(https?:\/|\/|\?)[^\s]*$/.test(value) ? value.split("?")[1]?.split("#")[0] : undefined;
  if (query !== undefined) {
    const params = [...new URLSearchParams(query)].filter(
      ([key, text]) => PARAMETER.test(key) && !LIST_PARAMETER.test(key) && text !== "",
    );
    return params.length === 0 ? undefined : Object.fromEntries(params.slice(0, MAX_PARAMETERS));
  }
  if (name !== "next" || !/^\d+$/.test(value)) return { [parameter]: value };
  // A bare number is a place in the list, or the number of a page.
  return Number(value) >= listed ? { offset: value } : { page: value };
}

/** The most jobs that the list gives at once (spec 4.1). */
export const MAX_PAGE_JOBS = 1000;

/** Page sizes that a service may fall back to when it does not take the one that was asked for. */
const USUAL_PAGES = new Set([10, 20, 25, 30, 50, 100, 200, 250, 500]);

/**
 * Whether more jobs may follow a page: as the service says, else by its total where that is credible, else while pages are full.
 * `readCount`: how many jobs were read, those of this page included.
 */
export function mayHaveMore({ jobs, total, hasMore, next }: JobPage, limit: number, readCount: number): boolean {
  if (jobs.length === 0) return false;
  if (hasMore !== undefined || next !== undefined) return hasMore ?? true;
  // A total that is no larger than a full page may count that page alone.
  const isCredible = total !== undefined && total >= readCount && (total > jobs.length || jobs.length < limit);
  return isCredible ? total > readCount : jobs.length >= limit || USUAL_PAGES.has(jobs.length);
}
