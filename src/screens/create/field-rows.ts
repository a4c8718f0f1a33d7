import type { MediaKind } from "#api/types.ts";
import { atPath, type JsonRecord, ownValue, sameJson, withKey } from "#lib/read.ts";
import type { UploadPlace } from "#media/upload/upload-store.ts";
import type { Uploads } from "#media/upload/uploads.ts";
import { placeSteps } from "#schema-form/controls/control-props.ts";
import { followPath, withInner } from "#schema-form/controls/inner-path.ts";
import { mediaAddresses, mediaValue } from "#schema-form/controls/media-addresses.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import type { Field, MediaField } from "#schema-form/read/field.ts";
import { createMediaRows, type MediaRows, type StoredFile } from "./media-inputs.ts";

type Path = readonly string[];

export interface FieldOrder {
  place: UploadPlace & { path: Path };
  /** The field of the payload's key, in which the media field is; itself where it is not inside another. */
  top: Field;
  field: MediaField;
  /** How many files the field takes. */
  most: number;
  kind: MediaKind | undefined;
  /** What the form or its draft holds. */
  addresses: readonly string[];
}

/** The inputs of one media field, and who is told of a change while the field is on the screen. */
interface HeldField {
  rows: MediaRows;
  top: Field;
  /** Where the field is while the top field's value is `seen`. */
  place: UploadPlace;
  seen: unknown;
  onChange: ((addresses: string[]) => void) | undefined;
  /** What came while nobody looked. */
  done: readonly StoredFile[];
}

/** Puts a change into the draft of a model: into its form where that is open, which it gives, else where it is stored. */
type PutDraft = (accountId: string, modelId: string, change: (payload: JsonRecord) => JsonRecord) => unknown;

type FieldUploads = Pick<Uploads, "start" | "cancel" | "moveTo" | "keepAddress">;

/**
 * The inputs of media fields of one connection. They outlive their field while one of its files is on its way: the address
 * then goes into the draft, and the field shows its own uploads again when it is back. A field inside an entry of a list
 * is followed as entries come, go and move. Where it is gone, or cannot be told, its upload goes on without a field, and
 * the queue says so. Never throws.
 */
export function createFieldRows(accountId: string, uploads: FieldUploads, put: PutDraft) {
  const fields = new Set<HeldField>();

  function make({ place, top, field, most, kind, addresses }: FieldOrder, payload: JsonRecord): HeldField {
    const rows = createMediaRows({
      addresses,
      most,
      uploads: {
        start: (file, onStored) => {
          const upload = uploads.start({
            file,
            kind,
            place: held.place,
            onStored(address, note) {
              // Whoever looks at the field sees it there; else the queue says so until somebody does.
              if (!onStored(address, note)) uploads.keepAddress(upload, address);
              else if (held.onChange) uploads.cancel(upload);
              drop(held);
            },
          });
          return upload;
        },
        cancel: uploads.cancel,
      },
      onChange(given, stored) {
        if (held.onChange) held.onChange(given);
        else if (stored) land(held, field, most, stored);
      },
    });
    const held: HeldField = { rows, top, place, seen: topValue(payload, place), onChange: undefined, done: [] };
    return held;
  }

  /** An address for a field that is not on the screen. */
  function land(held: HeldField, field: MediaField, most: number, stored: StoredFile): void {
    const { place, top, seen } = held;
    const { path, modelId } = place;
    const [key, ...inner] = path ?? [];
    if (!path || key === undefined) {
      uploads.keepAddress(stored.upload, stored.address);
      return;
    }
    held.done = [...held.done, stored];
    const add = (value: unknown) => valueWith(field, most, value, stored);
    let wasIn = false;
    const form = put(accountId, modelId, (payload) => {
      const value = ownValue(payload, key);
      const now = followPath(top, seen, value, inner);
      // A change may be made twice: to the stored draft, and to a form that was about to open.
      const isIn = [inner, now ?? inner].some((at) => mediaAddresses(atValue(value, at)).includes(stored.address));
      const after = isIn || !now ? value : withInner(top, value, now, add);
      const isSame = sameJson(after, value);
      wasIn ||= isIn || !isSame;
      if (!wasIn) lose(held, stored);
      return isSame ? payload : withKey(payload, key, after);
    });
    // The files for other fields of the same draft come on top of this one. A form says itself what it holds.
    for (const other of form ? [] : fields) {
      const isSame = other.place.modelId === modelId && other.place.path?.[0] === key;
      if (!other.onChange && isSame && sameJson(other.seen, seen)) other.seen = withInner(top, seen, inner, add);
    }
  }

  function lose(held: HeldField, { upload, address }: StoredFile): void {
    held.done = held.done.filter((one) => one.upload !== upload);
    uploads.keepAddress(upload, address);
  }

  /** Where a field is in a payload that was changed since it was last looked at. */
  function pathIn({ top, place, seen }: HeldField, payload: JsonRecord): Path | undefined {
    const [key, ...inner] = place.path ?? [];
    if (key === undefined) return undefined;
    const value = topValue(payload, place);
    const found = value === seen ? inner : followPath(top, seen, value, inner);
    return found && [key, ...found];
  }
  function moveTo(held: HeldField, path: Path | undefined, payload: JsonRecord): void {
    const isSame = sameJson(held.place.path ?? null, path ?? null);
    held.seen = topValue(payload, held.place);
    if (isSame) return;
    held.place = { ...held.place, path };
    for (const { upload } of held.rows.get()) if (upload !== undefined) uploads.moveTo(upload, held.place);
    for (const one of held.done) {
      if (path) uploads.moveTo(one.upload, held.place);
      else lose(held, one);
    }
  }
  /** Forgets a field that is not on the screen and that no file is on its way to. */
  function drop(held: HeldField): void {
    if (!held.onChange && held.done.length === 0 && !held.rows.hasUploads()) fields.delete(held);
  }

  return {
    /** A field: as it was left while a file is on its way to it, else a new one. */
    fieldOf(order: FieldOrder, payload: JsonRecord): HeldField {
      const { modelId, path } = order.place;
      const known = [...fields].find(
        (held) => held.place.modelId === modelId && sameJson(pathIn(held, payload) ?? null, path),
      );
      return known ?? make(order, payload);
    },
    /** The field is on the screen, until the function that is given is called. */
    show(held: HeldField, onChange: (addresses: string[]) => void, getPayload: () => JsonRecord): () => void {
      fields.add(held);
      held.onChange = onChange;
      // Stored while nobody looked: it is in the field now.
      for (const { upload } of held.done) uploads.cancel(upload);
      held.done = [];
      return () => {
        if (held.onChange !== onChange) return;
        held.onChange = undefined;
        const payload = getPayload();
        moveTo(held, pathIn(held, payload), payload);
        drop(held);
      };
    },
    /** Where a field on the screen is: its list knows which of its entries is which. */
    see(held: HeldField, { top, place }: Pick<FieldOrder, "top" | "place">, payload: JsonRecord): void {
      held.top = top;
      moveTo(held, place.path, payload);
    },
    /** The form of a model opened, or what it holds changed: fields that are not on the screen are followed. */
    follow(modelId: string, payload: JsonRecord): void {
      for (const held of fields) {
        if (!held.onChange && held.place.modelId === modelId) moveTo(held, pathIn(held, payload), payload);
      }
    },
  };
}

const topValue = (payload: JsonRecord, { path }: UploadPlace) => ownValue(payload, path?.[0] ?? "");

/** What is at the end of a path, whose positions are texts. */
const atValue = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, step) => atPath(at, Array.isArray(at) ? Number(step) : step), value);

/**
 * A media field's value with one more address, in the place of the one that it replaces. The same where there is no room,
 * and where a field for one file was given another one meanwhile.
 */
function valueWith(field: MediaField, most: number, value: unknown, { address, position, over }: StoredFile): unknown {
  const before = mediaAddresses(value).filter((one) => one !== "" && one !== over);
  return before.length >= most ? value : mediaValue(field, before.toSpliced(position, 0, address));
}

/** Where a media field stands, from its form and its place there (`f3`, `f3/0/image`). */
export function placeOf(form: FormHandle, place: string, field: MediaField): Pick<FieldOrder, "place" | "top"> {
  const [name = "", ...rest] = placeSteps(place);
  const top = form.field(name) ?? field;
  const label = rest.length > 0 ? `${top.label}: ${field.label}` : field.label;
  return { top, place: { modelId: form.modelId, path: [top.key, ...rest], label } };
}
