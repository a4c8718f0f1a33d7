import type { MediaKind } from "#api/types.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { Upload } from "#media/upload/upload-store.ts";
import type { Uploads } from "#media/upload/uploads.ts";
import { placeSteps } from "#schema-form/controls/control-props.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import {
  getMediaAddress,
  getMediaKind,
  isUpload,
  type MediaItem,
  maxFiles,
  mediaItems,
  mediaValue,
  uploadsIn,
} from "#schema-form/media-value.ts";
import type { FormSchema, MediaField, Role } from "#schema-form/read/field.ts";
import { readPixels, readRatio } from "#schema-form/read/options.ts";

interface DropTargets {
  /** Fields with room for a file of the kind, in the order of the form; masks last. */
  free: readonly MediaField[];
  /** Fields of the kind that are full. A field for one file is replaced; a list has no room. */
  full: readonly MediaField[];
}

/** Where a file of a kind may go in a form. */
export function dropTargets(schema: FormSchema, valueAt: (key: string) => unknown, kind: MediaKind): DropTargets {
  const fitting = schema.fields
    .filter((field) => field.kind === "media")
    .filter((field) => field.media === "file" || field.media === kind)
    .sort((a, b) => Number(a.role === "mask") - Number(b.role === "mask"));
  const hasRoom = (field: MediaField) =>
    mediaItems(valueAt(field.key)).filter((item) => item !== "").length < maxFiles(field);
  return { free: fitting.filter(hasRoom), full: fitting.filter((field) => !hasRoom(field)) };
}

/** Begins an upload that takes the place of an address, or of nothing (""). */
type StartUpload = (file: File, replaces: string) => MediaItem;

/** Puts files into a field that need not be on the screen. Returns how many had no room in it. */
export function putFiles(form: FormHandle, field: MediaField, files: readonly File[], uploads: Uploads): number {
  const name = form.nameOf(field.key);
  const rows = followRows([], mediaItems(form.getValue(name).value));
  let startedCount = 0;
  const start = startIn(form, name, field, uploads);
  const next = withFiles(rows, maxFiles(field), files, (file, replaces) => {
    startedCount += 1;
    return start(file, replaces);
  });
  for (const upload of droppedUploads(rows, next)) uploads.cancel(upload);
  form.setField(name, mediaValue(field, getMediaItems(next)));
  return files.length - startedCount;
}

/** Begins uploads for a media field at a place of a form (`f3`, `f3/0/image`). */
export function startIn(form: FormHandle, place: string, field: MediaField, uploads: Uploads): StartUpload {
  const [name = "", ...rest] = placeSteps(place);
  const label = rest.length > 0 ? `${form.field(name)?.label ?? ""}: ${field.label}` : field.label;
  const kind = getMediaKind(field.media);
  return (file, replaces) => ({ upload: uploads.start({ file, kind, modelId: form.modelId, label }), replaces });
}

/** Whether an entry is an upload, or the address that it brought. */
export const isUploadedItem = (item: MediaItem, { id, state }: Upload): boolean =>
  isUpload(item) ? item.upload === id : state.phase === "done" && state.address === item;

/**
 * One input of a media field. Its key stays the same while others come, go and move, and when its file arrives, so that
 * the focus stays in it. An empty text is an input without a file.
 */
export interface MediaRow {
  key: number;
  item: MediaItem;
}

let createdRows = 0;
const newRow = (item: MediaItem): MediaRow => {
  createdRows += 1;
  return { key: createdRows, item };
};

/** The entries of a field: those of its inputs that are not empty. */
export const getMediaItems = (rows: readonly MediaRow[]): MediaItem[] =>
  rows.map(({ item }) => item).filter((item) => item !== "");

/**
 * The inputs of a field after its entries changed: the same list where they show these already. An input follows its
 * entry. Where that is gone, as when an upload became an address, it stays at its position.
 */
export function followRows(rows: readonly MediaRow[], all: readonly MediaItem[]): readonly MediaRow[] {
  // The entry of a new item of a list is an empty text.
  const items = all.filter((item) => item !== "");
  const filled = rows.filter(({ item }) => item !== "");
  const isSameLength = rows.length > 0 && filled.length === items.length;
  if (isSameLength && filled.every(({ item }, at) => isSameItem(item, items[at]))) return rows;
  const free = new Set(filled);
  const take = (row: MediaRow | undefined) => (row && free.delete(row) ? row : undefined);
  const shown = items.map((item) => take([...free].find((row) => isSameItem(row.item, item))));
  const next = items.map((item, at) => {
    const row = shown[at] ?? (isSameLength ? take(filled[at]) : undefined);
    return row ? { ...row, item } : newRow(item);
  });
  if (!isSameLength) return orEmpty(next);
  // Empty inputs stay, because the person may be about to write into one.
  return rows.map((row) => (row.item === "" ? row : (next.shift() ?? row)));
}

function isSameItem(one: MediaItem, other: MediaItem | undefined): boolean {
  if (other === undefined || !isUpload(one) || !isUpload(other)) return one === other;
  return one.upload === other.upload && one.replaces === other.replaces;
}

const orEmpty = (rows: readonly MediaRow[]): readonly MediaRow[] => (rows.length > 0 ? rows : [newRow("")]);

/** The uploads that are not wanted any more after a change by the person. */
export function droppedUploads(before: readonly MediaRow[], after: readonly MediaRow[]): string[] {
  const remaining = new Set(uploadsIn(getMediaItems(after)));
  return uploadsIn(getMediaItems(before)).filter((id) => !remaining.has(id));
}

/** Starts the upload of a file for one input. It replaces the upload that the input had. */
export function withFileIn(
  rows: readonly MediaRow[],
  key: number,
  file: File,
  start: StartUpload,
): readonly MediaRow[] {
  return rows.map((row) => (row.key === key ? { key, item: start(file, getMediaAddress(row.item)) } : row));
}

/** Puts files into empty inputs, and into more inputs while the field has room; a field for one file is replaced. */
export function withFiles(
  rows: readonly MediaRow[],
  max: number,
  files: readonly File[],
  start: StartUpload,
): readonly MediaRow[] {
  let next = rows;
  for (const file of max === 1 ? files.slice(0, 1) : files) {
    const free = next.find(({ item }) => item === "" || max === 1);
    if (free) next = withFileIn(next, free.key, file, start);
    else if (next.length < max) next = [...next, newRow(start(file, ""))];
  }
  return next;
}

/** Puts addresses after what is there while the field has room; in a field for one file they replace it. */
export function withAddresses(
  rows: readonly MediaRow[],
  max: number,
  addresses: readonly string[],
): readonly MediaRow[] {
  const filled = max === 1 ? [] : rows.filter(({ item }) => item !== "");
  return orEmpty([...filled, ...addresses.slice(0, Math.max(0, max - filled.length)).map(newRow)]);
}

/** Puts an address into one input. It replaces the upload that the input had. */
export const withAddressIn = (rows: readonly MediaRow[], key: number, address: string): readonly MediaRow[] =>
  rows.map((row) => (row.key === key ? { key, item: address } : row));

/** The inputs without one of them, and without its upload. */
export const withoutRow = (rows: readonly MediaRow[], key: number): readonly MediaRow[] =>
  orEmpty(rows.filter((row) => row.key !== key));

/** Adds an empty input, where the field takes another file. */
export const withEmptyRow = (rows: readonly MediaRow[], max: number): readonly MediaRow[] =>
  rows.length < max ? [...rows, newRow("")] : rows;

/** The inputs with one of them moved up or down. */
export function movedRow(rows: readonly MediaRow[], key: number, by: -1 | 1): readonly MediaRow[] {
  const at = rows.findIndex((row) => row.key === key);
  const [row, other] = [rows[at], rows[at + by]];
  return row && other ? rows.with(at, other).with(at + by, row) : rows;
}

/** The proportions that a run would have, and its pixels where they are known. */
export interface AskedShape {
  /** Width over height. */
  ratio: number;
  pixels: { width: number; height: number } | undefined;
  /** The value as the form shows it: "16:9", "1536 × 1024". */
  label: string;
}

/** The shape that a payload asks for, by its ratio, size, or width and height; undefined where it has none. */
export function askedShape(schema: FormSchema, payload: JsonRecord): AskedShape | undefined {
  const valueIn = (role: Role) => {
    const field = schema.fields.find((one) => one.role === role);
    if (!field) return undefined;
    return Object.hasOwn(payload, field.key) ? payload[field.key] : field.defaultValue;
  };
  const [width, height] = [Number(valueIn("width")), Number(valueIn("height"))];
  if (width > 0 && height > 0)
    return { ratio: width / height, pixels: { width, height }, label: `${width} × ${height}` };
  for (const role of ["aspect-ratio", "size", "resolution"] as const) {
    const value = valueIn(role);
    const ratio = typeof value === "string" ? readRatio(value) : undefined;
    if (typeof value === "string" && ratio !== undefined) return { ratio, pixels: readPixels(value), label: value };
  }
  return undefined;
}

interface Size {
  width: number;
  height: number;
}

/** Proportions closer than this are the same to the eye. */
const SAME_RATIO = 0.01;

/** Whether an image has other proportions than a ratio of width over height. */
export function isOtherShape({ width, height }: Size, ratio: number): boolean {
  return Math.abs(Math.log(width / height / ratio)) > SAME_RATIO;
}
