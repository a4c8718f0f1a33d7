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
 * The payload that a run of a draft would send: in place of each upload it has the address that the upload replaces.
 * Returns the same object where there are no uploads.
 */
export const draftToPayload = (draft: Draft): JsonRecord => withoutUploads(valuesWithUploads(draft)) as JsonRecord;

/** `draftToPayload` for one value of a draft. */
export const withoutUploads = (value: unknown): unknown => mapUploads(value, ({ sent }) => sent);

/** A listing has at most 80 levels (`read/bound-listing.ts`): deeper there is no field, and so no upload. */
const DEEPEST = 100;

/**
 * Replaces each upload in a value by what `change` gives for it. Where that is undefined, its key is left out, and an
 * entry of a list becomes "". `dropsEmptied`: an object that loses its last key is left out, too; in a list it stays as
 * {}.
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
  const remaining = entries.flatMap(({ key, next }) => (next === undefined ? [] : [[key, next]]));
  return dropsEmptied && remaining.length === 0 ? undefined : Object.fromEntries(remaining);
}

/** What became of an upload, by its id: the address of the stored file, "ended", or undefined while it may succeed. */
export type OutcomeOf = (upload: string) => { address: string } | "ended" | undefined;

/**
 * A draft in which every stored upload is replaced by its address, and every ended one by the address that it was to
 * replace. Returns the same object where it has no such uploads.
 */
export const withFinished = (draft: Draft, outcomeOf: OutcomeOf): Draft =>
  (finishedValue(draft, outcomeOf) ?? payloadToDraft({})) as Draft;

/** `withFinished` for one value. An object that loses its last key is left out, as when its controls are emptied. */
export function finishedValue(value: unknown, outcomeOf: OutcomeOf): unknown {
  const change = (uploads: UploadValue) => {
    const items = finishedItems(uploads.items, outcomeOf);
    return items === uploads.items ? uploads : mediaValue(uploads.field, items);
  };
  return mapUploads(value, change, true);
}

/** `withFinished` for the entries of one media field. Returns the same array where nothing changed. */
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

/** The path to the first value of a draft that has a matching entry; undefined without one. */
export function pathToItem(draft: Draft, matches: (item: MediaItem) => boolean): DraftPath | undefined {
  const hasOne = (value: unknown): value is unknown => mediaItems(value).some(matches);
  return pathsTo(draft, hasOne, [])[0]?.path;
}

/** The outermost values that pass a test, and the paths to them. */
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
 * A payload that was edited outside of the controls, such as in the JSON text or in another tab, with the uploads of
 * the draft that it was made of. An entry of a list is followed where it can be recognized (`followEntries`), an entry
 * of a map where only its key was renamed. An upload is dropped where its place is gone, unknown, full or has another
 * value. `draftToPayload` gives the edited payload back, to the letter. `fields`: those of the form; without them no
 * renamed key is followed.
 */
export const withDraftUploads = (before: Draft, payload: JsonRecord, fields: readonly Field[] = []): Draft =>
  carryUploads(before, payload, { kind: "group", fields }) as Draft;

type Fields = { kind: "group"; fields: readonly Field[] };

/** `withDraftUploads` for one value of a field. */
export function carryUploads(before: unknown, after: unknown, field: Field | Fields | undefined): unknown {
  if (before instanceof UploadValue) return carriedUpload(before, after);
  const plain = withoutUploads(before);
  if (plain === before) return after;
  // Also in the same order: a text in which only that was changed must not jump back.
  if (JSON.stringify(plain) === JSON.stringify(after)) return before;
  if (Array.isArray(before) && Array.isArray(after)) {
    const newPositions = followEntries(plain as unknown[], after);
    return after.map((entry, at) => {
      const oldPosition = newPositions.indexOf(at);
      return oldPosition < 0 ? entry : (carryUploads(before[oldPosition], entry, innerField(field, at)) ?? entry);
    });
  }
  if (!isRecord(before) || !isRecord(after)) return after;
  const getNewKey = (key: string) => (field?.kind === "map" ? renamedKey(asRecord(plain), after, key) : key);
  const oldKeys = new Map(Object.keys(before).map((key) => [getNewKey(key), key]));
  const keys = new Set([...Object.keys(after), ...oldKeys.keys()]);
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const old = ownValue(before, oldKeys.get(key) ?? key);
      const next = carryUploads(old, ownValue(after, key), innerField(field, key));
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

/** The key of a map's entry after an edit: its old one, or the new one at the same position with the same content. */
function renamedKey(before: JsonRecord, after: JsonRecord, key: string): string {
  if (Object.hasOwn(after, key)) return key;
  const [oldKeys, newKeys] = [Object.keys(before), Object.keys(after)];
  const next = newKeys[oldKeys.indexOf(key)];
  if (oldKeys.length !== newKeys.length || next === undefined || oldKeys.includes(next)) return key;
  return sameJson(before[key], after[next]) ? next : key;
}

/**
 * A media field's edited value with the uploads that it had before. In a field for one file an upload is dropped once
 * its address was changed or removed. In a list each upload stays at the address that it replaces. Uploads whose
 * address is gone follow at the end, while the list has room.
 */
function carriedUpload(before: UploadValue, after: unknown): unknown {
  const isEmpty = (value: unknown) => value === undefined || value === "";
  if (sameJson(before.sent, after)) return before;
  const hasOnlyAddresses = isEmpty(after) || typeof after === "string" || isTexts(after);
  if (!hasOnlyAddresses || (before.field.shape === "one" && !(isEmpty(before.sent) && isEmpty(after)))) return after;
  const unplaced = [...before.items];
  const entries = mediaAddresses(after)
    .filter((address) => address !== "")
    .map((address): MediaItem => {
      const at = unplaced.findIndex((item) => getMediaAddress(item) === address);
      return (at < 0 ? undefined : unplaced.splice(at, 1)[0]) ?? address;
    });
  const others = unplaced.filter(isUpload).map(({ upload }) => ({ upload, replaces: "" }));
  const room = Math.max(0, maxFiles(before.field) - entries.length);
  const items = [...entries, ...others.slice(0, room)];
  return items.some(isUpload) ? new UploadValue(before.field, items, { value: after }) : after;
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");
