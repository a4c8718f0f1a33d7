import { asRecord, isRecord, type JsonRecord, ownValue, sameJson, withKey } from "#lib/read.ts";
import { followEntries } from "./follow-entries.ts";
import {
  getMediaAddress,
  isUpload,
  type MediaItem,
  maxFiles,
  mediaAddresses,
  mediaItems,
  mediaValue,
  UploadValue,
  uploadsIn,
} from "./media-value.ts";
import type { Field } from "./read/field.ts";

declare const DRAFT: unique symbol;

/**
 * What a form holds: a payload in which some values may be uploads (`UploadValue`). It is no `JsonRecord`, so that the
 * compiler refuses it where a payload is sent, priced, copied or stored: `draftToPayload` makes a payload of it.
 */
export interface Draft {
  readonly [DRAFT]: true;
}

/** A payload as a draft. */
export const payloadToDraft = (payload: JsonRecord): Draft => payload as unknown as Draft;

/** The values of a draft by their keys, uploads included. For the form alone, which holds them. */
export const valuesWithUploads = (draft: Draft): JsonRecord => draft as unknown as JsonRecord;

/**
 * What a run of a draft would send: in the place of each upload the address that it replaces. The same object where there
 * are no uploads.
 */
export const draftToPayload = (draft: Draft): JsonRecord => withoutUploads(valuesWithUploads(draft)) as JsonRecord;

/** The same of one value. */
export const withoutUploads = (value: unknown): unknown => mapUploads(value, ({ sent }) => sent);

/** A listing has at most 80 levels (`read/bound-listing.ts`): deeper there is no field, and so no upload. */
const DEEPEST = 100;

/**
 * A value with something else in the place of each upload. Undefined takes the key out, and leaves "" in a list.
 * `dropsEmptied`: an object of which nothing is left then is taken out, too; in a list it stays, empty.
 */
function mapUploads(value: unknown, change: (value: UploadValue) => unknown, dropsEmptied = false, depth = 0): unknown {
  if (value instanceof UploadValue) return change(value);
  if (depth > DEEPEST) return value;
  const map = (inner: unknown) => mapUploads(inner, change, dropsEmptied, depth + 1);
  if (Array.isArray(value)) {
    const next = value.map((item) => {
      const mapped = map(item);
      if (mapped !== undefined || item === undefined) return mapped;
      return item instanceof UploadValue ? "" : {};
    });
    return next.some((item, at) => item !== value[at]) ? next : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => ({ key, inner, next: map(inner) }));
  if (entries.every(({ inner, next }) => inner === next)) return value;
  const left = entries.flatMap(({ key, next }) => (next === undefined ? [] : [[key, next]]));
  return dropsEmptied && left.length === 0 ? undefined : Object.fromEntries(left);
}

/** What became of an upload: its address, "ended" where it was ended, undefined while it may still be stored. */
export type OutcomeOf = (upload: string) => { address: string } | "ended" | undefined;

/**
 * A draft in which every upload that is stored is its address, and every one that was ended what it would have replaced.
 * The same object where it has no such uploads.
 */
export const withFinished = (draft: Draft, outcomeOf: OutcomeOf): Draft =>
  (finishedValue(draft, outcomeOf) ?? payloadToDraft({})) as Draft;

/** The same of one value. An object of which nothing is left goes, as it does when its controls are emptied. */
export function finishedValue(value: unknown, outcomeOf: OutcomeOf): unknown {
  const change = (uploads: UploadValue) => {
    const items = finishedItems(uploads.items, outcomeOf);
    return items === uploads.items ? uploads : mediaValue(uploads.field, items);
  };
  return mapUploads(value, change, true);
}

/** The same of the entries of one field. */
export function finishedItems(items: readonly MediaItem[], outcomeOf: OutcomeOf): readonly MediaItem[] {
  const next = items.flatMap((item) => {
    const outcome = isUpload(item) ? outcomeOf(item.upload) : undefined;
    if (outcome === undefined) return [item];
    const address = outcome === "ended" ? getMediaAddress(item) : outcome.address;
    return address === "" ? [] : [address];
  });
  return next.length === items.length && next.every((item, at) => item === items[at]) ? items : next;
}

/** The keys and positions from a payload to one of its values, from outside in. */
export type DraftPath = readonly (string | number)[];

/** The values of a draft that are uploads, and where they are. */
export function uploadValues(draft: Draft): { path: DraftPath; value: UploadValue }[] {
  const isOne = (value: unknown): value is UploadValue => value instanceof UploadValue;
  return pathsTo(draft, isOne, []);
}

/** The ids of the uploads in a draft. */
export const uploadIds = (draft: Draft): string[] => uploadValues(draft).flatMap(({ value }) => uploadsIn(value.items));

/** The way to the first value of a draft with an entry that matches. */
export function pathToItem(draft: Draft, matches: (item: MediaItem) => boolean): DraftPath | undefined {
  const hasOne = (value: unknown): value is unknown => mediaItems(value).some(matches);
  return pathsTo(draft, hasOne, [])[0]?.path;
}

/** The outermost values that pass a test, and the ways to them. */
function pathsTo<T>(
  value: unknown,
  test: (value: unknown) => value is T,
  path: DraftPath,
): { path: DraftPath; value: T }[] {
  if (test(value)) return [{ path, value }];
  if (value instanceof UploadValue || path.length > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((inner, at) => pathsTo(inner, test, [...path, at]));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => pathsTo(inner, test, [...path, key]));
}

/** A payload with uploads at their places, as `uploadValues` gave them. One whose place is gone is left out. */
export function withUploadsAt(payload: JsonRecord, uploads: readonly { path: DraftPath; value: UploadValue }[]): Draft {
  return uploads.reduce<unknown>((draft, { path, value }) => withValueAt(draft, path, value), payload) as Draft;
}

function withValueAt(target: unknown, [step, ...rest]: DraftPath, value: UploadValue): unknown {
  if (step === undefined) return value;
  if (Array.isArray(target) && typeof step === "number" && step < target.length)
    return target.with(step, withValueAt(target[step], rest, value));
  if (!isRecord(target) || typeof step !== "string") return target;
  const inner = ownValue(target, step);
  return inner === undefined && rest.length > 0 ? target : withKey(target, step, withValueAt(inner, rest, value));
}

/**
 * A payload that was edited outside of the controls, such as in the JSON text or in another tab, with the uploads of the
 * draft that it was made of. An entry of a list is followed where it can be recognized (`followEntries`), one of a map
 * where only its key was renamed. Where the place of an upload is gone, is full or holds something else, or is
 * unknown, the upload is not in it. `draftToPayload` gives the edited payload back, to the letter.
 * `fields`: of the form; without them no renamed key is followed.
 */
export const withDraftUploads = (before: Draft, payload: JsonRecord, fields: readonly Field[] = []): Draft =>
  carryUploads(before, payload, { kind: "group", fields }) as Draft;

type Fields = { kind: "group"; fields: readonly Field[] };

/** The same of one value of a field. */
export function carryUploads(before: unknown, after: unknown, field: Field | Fields | undefined): unknown {
  if (before instanceof UploadValue) return carriedUpload(before, after);
  const plain = withoutUploads(before);
  if (plain === before) return after;
  // Also in the same order: a text in which only that was changed must not jump back.
  if (JSON.stringify(plain) === JSON.stringify(after)) return before;
  if (Array.isArray(before) && Array.isArray(after)) {
    const places = followEntries(plain as unknown[], after);
    return after.map((entry, at) => {
      const from = places.indexOf(at);
      return from < 0 ? entry : (carryUploads(before[from], entry, innerField(field, at)) ?? entry);
    });
  }
  if (!isRecord(before) || !isRecord(after)) return after;
  const renamed = (key: string) => (field?.kind === "map" ? renamedKey(asRecord(plain), after, key) : key);
  const names = new Map(Object.keys(before).map((key) => [renamed(key), key]));
  const keys = new Set([...Object.keys(after), ...names.keys()]);
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const from = ownValue(before, names.get(key) ?? key);
      const next = carryUploads(from, ownValue(after, key), innerField(field, key));
      return next === undefined && !Object.hasOwn(after, key) ? [] : [[key, next]];
    }),
  );
}

function innerField(field: Field | Fields | undefined, step: string | number): Field | undefined {
  switch (field?.kind) {
    case "group":
      return field.fields.find(({ key }) => key === step);
    case "map":
    case "list":
      return field.item;
    case "tuple":
      return field.items[Number(step)];
    default:
      return undefined;
  }
}

/** The key under which an entry of a map stands: its own, or the one that took its place with the same content. */
function renamedKey(before: JsonRecord, after: JsonRecord, key: string): string {
  if (Object.hasOwn(after, key)) return key;
  const [old, now] = [Object.keys(before), Object.keys(after)];
  const next = now[old.indexOf(key)];
  if (old.length !== now.length || next === undefined || old.includes(next)) return key;
  return sameJson(before[key], after[next]) ? next : key;
}

/**
 * A field for one file waits for none where its address was changed or taken out. In a list an upload stays with the address
 * that it replaces; the others come after it, while the list has room.
 */
function carriedUpload(before: UploadValue, after: unknown): unknown {
  const isEmpty = (value: unknown) => value === undefined || value === "";
  if (sameJson(before.sent, after)) return before;
  const isOfFiles = isEmpty(after) || typeof after === "string" || isTexts(after);
  if (!isOfFiles || (before.field.shape === "one" && !(isEmpty(before.sent) && isEmpty(after)))) return after;
  const left = [...before.items];
  const given = mediaAddresses(after)
    .filter((address) => address !== "")
    .map((address): MediaItem => {
      const at = left.findIndex((item) => getMediaAddress(item) === address);
      return (at < 0 ? undefined : left.splice(at, 1)[0]) ?? address;
    });
  const rest = left.filter(isUpload).map(({ upload }) => ({ upload, replaces: "" }));
  const room = Math.max(0, maxFiles(before.field) - given.length);
  const items = [...given, ...rest.slice(0, room)];
  return items.some(isUpload) ? new UploadValue(before.field, items, { value: after }) : after;
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");
