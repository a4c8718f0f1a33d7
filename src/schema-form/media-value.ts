import type { MediaKind } from "#api/types.ts";
import type { FieldMedia, MediaField } from "./read/field.ts";

/** A file that is being uploaded for a media field, or whose upload failed and was not removed. */
interface UploadItem {
  /** The id of the upload: see `media/upload/upload-store.ts`. */
  upload: string;
  /** The address whose place it takes. Requests contain it until the file is stored. Empty where it takes no place. */
  replaces: string;
}

/**
 * One entry of a media field: an address, or the upload that is to bring one. An empty text is an input without a file.
 */
export type MediaItem = string | UploadItem;

/** How a media field takes its files: one or several, and how many at most. */
type MediaShape = Pick<MediaField, "shape"> & Partial<Pick<MediaField, "maxItems">>;

/** No value of JSON equals it: an object that somebody writes is never taken for an upload. */
const TYPE = Symbol("upload value");

/** The value of a media field that has an upload among its entries. No request contains it: see `draftToPayload`. */
export class UploadValue {
  readonly type = TYPE;
  /** What its field takes: how many files, and in which shape. */
  readonly field: MediaShape;
  readonly items: readonly MediaItem[];
  /** What requests contain until the files are stored; undefined where the key is left out. */
  readonly sent: unknown;

  constructor({ shape, maxItems }: MediaShape, items: readonly MediaItem[], sent?: { value: unknown }) {
    this.field = maxItems === undefined ? { shape } : { shape, maxItems };
    this.items = items;
    const addresses = items.map(getMediaAddress).filter((address) => address !== "");
    this.sent = sent ? sent.value : inShape(shape, addresses);
  }

  /** A second guard beside `draftToPayload`: written as JSON, it is what requests contain. */
  toJSON(): unknown {
    return this.sent;
  }
}

/** Whether an entry is an upload. */
export const isUpload = (item: MediaItem): item is UploadItem => typeof item !== "string";

/** The address of an entry: of an upload the one that it replaces. */
export const getMediaAddress = (item: MediaItem): string => (isUpload(item) ? item.replaces : item);

/** The entries that are addresses. */
export const addressesIn = (items: readonly MediaItem[]): string[] => items.filter((item) => typeof item === "string");

/** The ids of the uploads among entries. */
export const uploadsIn = (items: readonly MediaItem[]): string[] =>
  items.flatMap((item) => (isUpload(item) ? [item.upload] : []));

/** The addresses that a media field's value holds, whichever shape it has. */
export function mediaAddresses(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === "string");
}

/** The entries that a media field's value holds. */
export function mediaItems(value: unknown): readonly MediaItem[] {
  return value instanceof UploadValue ? value.items : mediaAddresses(value);
}

/**
 * Entries as the field's value: an `UploadValue` where an upload is among them, else the addresses in the shape that
 * the field takes; undefined without entries. `either` sends one address as a text.
 */
export function mediaValue(field: MediaShape, items: readonly string[]): string | string[] | undefined;
export function mediaValue(field: MediaShape, items: readonly MediaItem[]): unknown;
export function mediaValue(field: MediaShape, items: readonly MediaItem[]): unknown {
  return items.some(isUpload) ? new UploadValue(field, items) : inShape(field.shape, addressesIn(items));
}

function inShape(shape: MediaField["shape"], addresses: readonly string[]): string | string[] | undefined {
  if (addresses.length === 0) return undefined;
  if (shape === "many") return [...addresses];
  if (shape === "either" && addresses.length > 1) return [...addresses];
  return addresses[0];
}

/** How many files a field takes. */
export const maxFiles = ({ shape, maxItems }: MediaShape): number =>
  shape === "one" ? 1 : (maxItems ?? Number.POSITIVE_INFINITY);

/** The kind of files that a field takes; undefined for any. */
export const getMediaKind = (media: FieldMedia): MediaKind | undefined => (media === "file" ? undefined : media);
