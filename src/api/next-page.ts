import { asFilledText, asLooseNumber, isRecord } from "#lib/read.ts";
import type { JobPage } from "./types.ts";

/** What an answer says about its pages, by plain names, with each name as it was spelled. */
export type AboutPages = ReadonlyMap<string, { key: string; value: unknown }>;

const MORE = ["hasmore", "hasnext", "hasnextpage", "more", "moreavailable"];
const LAST = ["islast", "islastpage", "last", "isend", "exhausted"];

/** Names of a place to go on from, and the query parameter that takes it. Camel case stays camel case. */
const PLACES: readonly (readonly [string, string])[] = [
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
const OWN = /^(limit|model_id|model_type|status|created_(after|before))$/;
const PARAMETER = /^[a-z][\w.[\]-]{0,40}$/i;
const MAX_PARAMETERS = 4;
const LONGEST_VALUE = 4000;

/**
 * Where a list goes on, as far as its answer says so: `hasMore`, and in `next` the query parameters that lead to the next
 * page in place of an offset. A link is never followed: what counts is its query.
 */
export function readNext(about: AboutPages, listed: number): Pick<JobPage, "hasMore" | "next"> {
  const next = listed > 0 ? nextOf(about, listed) : undefined;
  const hasMore = listed === 0 ? false : (saysMore(about) ?? (next === "end" ? false : undefined));
  return {
    ...(hasMore === undefined ? {} : { hasMore }),
    ...(next === undefined || next === "end" || hasMore === false ? {} : { next }),
  };
}

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

/** `end`: the place to go on from is named, and empty. */
function nextOf(about: AboutPages, listed: number): JobPage["next"] | "end" {
  let isEnd = false;
  for (const [name, parameter] of PLACES) {
    const found = about.get(name);
    if (found === undefined) continue;
    const link = isRecord(found.value) ? (found.value.href ?? found.value.url ?? found.value.link) : found.value;
    const value = asFilledText(link) ?? asLooseNumber(found.value)?.toString();
    if (value === undefined) isEnd ||= name.startsWith("next") && (found.value === null || found.value === "");
    else if (value.length <= LONGEST_VALUE) return paramsOf(value, name, spelled(parameter, found.key), listed);
  }
  return isEnd ? "end" : undefined;
}

const spelled = (parameter: string, key: string) =>
  /[a-z][A-Z]/.test(key) ? parameter.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : parameter;

function paramsOf(value: string, name: string, parameter: string, listed: number): JobPage["next"] {
  const query = /^(https?:\/|\/|\?)[^\s]*$/.test(value) ? value.split("?")[1]?.split("#")[0] : undefined;
  if (query !== undefined) {
    const params = [...new URLSearchParams(query)].filter(
      ([key, text]) => PARAMETER.test(key) && !OWN.test(key) && text !== "",
    );
    return params.length === 0 ? undefined : Object.fromEntries(params.slice(0, MAX_PARAMETERS));
  }
  if (name !== "next" || !/^\d+$/.test(value)) return { [parameter]: value };
  // A bare number is a place in the list, or the number of a page.
  return Number(value) >= listed ? { offset: value } : { page: value };
}
