import { plainName } from "#lib/find-value.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { nameKeyOf, parameterName } from "./parameter-keys.ts";

/*
 * Lists of parameters that are not simply lists of them: numbered, in pairs, each in a wrapper, or divided into groups.
 */

const MAX_ITEMS = 5000;
const MAX_GROUPS = 40;
/** Places of a request that are not its body. */
const ELSEWHERE = /^(header|path|query|cookie)$/i;

/**
 * The parameter objects of a list: numbered by its keys, as pairs of name and description, each under a key of its own,
 * or with XML's attributes apart. A list of other things is given back as it is; undefined where there is none.
 */
export function parameterList(raw: unknown): unknown[] | undefined {
  const list = Array.isArray(raw) ? raw : numbered(raw);
  if (list === undefined || list.length > MAX_ITEMS) return list;
  const isForm = list.some((item) => isRecord(item) && item.in === "formData");
  const own = isForm ? list.filter((item) => !(isRecord(item) && ELSEWHERE.test(String(item.in)))) : list;
  if (own.length > 1 && own.every(isPair)) return own.map(([name, words]) => ({ ...words, name }));
  const wrapper = own.length > 1 ? wrapperOf(own) : undefined;
  if (wrapper === "$" || wrapper === "_attributes") {
    return own.map((item) => ({ ...((item as JsonRecord)[wrapper] as JsonRecord), ...(item as JsonRecord) }));
  }
  if (wrapper !== undefined) return own.map((item) => (item as JsonRecord)[wrapper]);
  const single = own.map(namedByKey);
  const names = new Set(single.map((item) => item?.name));
  return single.length > 1 && names.size === single.length && !names.has(undefined) ? single : own;
}

/** `{"0": {…}, "1": {…}}`. */
function numbered(raw: unknown): unknown[] | undefined {
  if (!isRecord(raw)) return undefined;
  const keys = Object.keys(raw);
  return keys.length > 1 && keys.every((key, at) => Number(key) === at || Number(key) === at + 1)
    ? Object.values(raw)
    : undefined;
}

const isPair = (item: unknown): item is [string, JsonRecord] =>
  Array.isArray(item) && item.length === 2 && typeof item[0] === "string" && isRecord(item[1]);

/** A key that all items have, with a record under it, and beside which nothing describes the parameter. */
function wrapperOf(items: readonly unknown[]): string | undefined {
  return ["node", "parameter", "param", "field", "argument", "$", "_attributes"].find((key) =>
    items.every(
      (item) => isRecord(item) && isRecord(item[key]) && (/^[$_]/.test(key) || Object.keys(item).length <= 2),
    ),
  );
}

/** `{"prompt": {…}}` as an item of a list. */
function namedByKey(item: unknown): JsonRecord | undefined {
  const [entry, ...more] = isRecord(item) ? Object.entries(item) : [];
  const [name, words] = entry ?? [];
  return name !== undefined && isRecord(words) && more.length === 0 ? { ...words, name } : undefined;
}

const WHAT = "(parameters?|params|inputs?|fields|arguments|args|properties)";
/** Names of the halves of a listing. */
const HALF = new RegExp(
  `^(required|mandatory|optional|basic|advanced|common|main|general|additional|extra|expert)${WHAT}?$`,
);
const GROUPS = /(groups|sections|tabs|categories|fieldsets|panels)$/;
const MEMBERS = new RegExp(`^${WHAT}$`);

/**
 * The parameters of all groups that a record divides them into, as one list: `required_inputs` beside `optional_inputs`,
 * or `groups` that hold `fields` each. Undefined where there are none, and where two groups name the same.
 */
export function groupedList(raw: unknown): JsonRecord[] | undefined {
  if (!isRecord(raw)) return undefined;
  const entries = Object.entries(raw);
  const halves = entries.filter(([key, value]) => HALF.test(plainName(key)) && membersOf(value));
  const groups = entries.find(([key, value]) => GROUPS.test(plainName(key)) && Array.isArray(value))?.[1];
  const parts =
    halves.length > 1
      ? halves.map(([key, value]) => withRequired(membersOf(value) ?? [], plainName(key)))
      : groupMembers(groups);
  if (parts === undefined || parts.length < 2) return undefined;
  const all = parts.flat();
  const nameKey = nameKeyOf(all);
  const names = all.map((item) => parameterName(item, nameKey));
  return names.includes(undefined) || new Set(names).size < names.length ? undefined : all;
}

function groupMembers(groups: unknown): JsonRecord[][] | undefined {
  if (!Array.isArray(groups) || groups.length > MAX_GROUPS) return undefined;
  const parts = groups.map((group) => {
    const members = isRecord(group) ? Object.entries(group).filter(([key]) => MEMBERS.test(plainName(key))) : [];
    return members.length === 1 ? membersOf(members[0]?.[1]) : undefined;
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

/** A list of parameter objects, or a map of them by name, as one list. */
function membersOf(value: unknown): JsonRecord[] | undefined {
  const list = isRecord(value)
    ? Object.entries(value).map(([name, words]) => (isRecord(words) ? { ...words, name } : undefined))
    : parameterList(value);
  if (list === undefined || list.length === 0 || list.length > MAX_ITEMS) return undefined;
  return list.every(isRecord) ? list : undefined;
}

function withRequired(items: JsonRecord[], half: string): JsonRecord[] {
  if (!/^(required|mandatory)/.test(half)) return items;
  return items.map((item) => (item.required === undefined ? { ...item, required: true } : item));
}
