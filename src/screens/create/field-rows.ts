import { useEffect, useState } from "react";
import type { Api } from "#api/create-api.ts";
import type { MediaKind } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { isSamePlace, type UploadPlace, useUploadStore } from "#media/upload/upload-store.ts";
import { type Uploads, uploadsOf } from "#media/upload/uploads.ts";
import { mediaAddresses, mediaValue } from "#schema-form/controls/media-addresses.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import type { MediaField } from "#schema-form/read/field.ts";
import { putIntoDraft } from "./drafts.ts";
import { createMediaRows, type MediaRows } from "./media-inputs.ts";

interface FieldOrder {
  place: UploadPlace;
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
  order: FieldOrder;
  onChange: ((addresses: string[]) => void) | undefined;
}

/** Puts a change into the draft of a model: into its form where that is open, else where it is stored. */
type PutDraft = (accountId: string, modelId: string, change: (payload: JsonRecord) => JsonRecord) => void;

/**
 * The inputs of media fields of one connection. They outlive their field while one of its files is on its way: the address
 * then goes into the draft, and the field shows its own uploads again when it is back. Never throws.
 */
export function createFieldRows(accountId: string, uploads: Pick<Uploads, "start" | "cancel">, put: PutDraft) {
  const fields = new Map<string, HeldField>();
  const keyOf = ({ modelId, path }: UploadPlace) => JSON.stringify([modelId, ...path]);

  function make(order: FieldOrder): HeldField {
    const { place, field, most, kind } = order;
    const rows = createMediaRows({
      addresses: order.addresses,
      most,
      uploads: {
        start: (file, onStored) => {
          const upload = uploads.start({
            file,
            kind,
            place,
            onStored(address, note) {
              onStored(address, note);
              // Whoever looks at the field sees it there; else the queue says so until somebody does.
              if (held.onChange) uploads.cancel(upload);
              drop(place);
            },
          });
          return upload;
        },
        cancel: uploads.cancel,
      },
      onChange(addresses, stored) {
        if (held.onChange) held.onChange(addresses);
        else if (stored)
          put(accountId, place.modelId, (payload) => withAddress(payload, { ...stored, ...place, field, most }));
      },
    });
    const held: HeldField = { rows, order, onChange: undefined };
    return held;
  }
  /** Forgets a field that is not on the screen and that no file is on its way to. */
  function drop(place: UploadPlace): void {
    const held = fields.get(keyOf(place));
    if (held && !held.onChange && !held.rows.hasUploads()) fields.delete(keyOf(place));
  }

  return {
    /** A field: as it was left while a file is on its way to it, else a new one. */
    fieldOf: (order: FieldOrder): HeldField => fields.get(keyOf(order.place)) ?? make(order),
    /** The field is on the screen, until the function that is given is called. */
    show(held: HeldField, onChange: (addresses: string[]) => void): () => void {
      const { place } = held.order;
      fields.set(keyOf(place), held);
      held.onChange = onChange;
      return () => {
        if (held.onChange !== onChange) return;
        held.onChange = undefined;
        // A position in a list is another entry's once an entry is gone: nothing may arrive there by itself.
        if (isInList(place)) {
          for (const { upload } of held.rows.get()) if (upload !== undefined) held.rows.dropUpload(upload);
        }
        drop(place);
      };
    },
  };
}

const isInList = ({ path }: UploadPlace) => path.slice(1).some((key) => /^\d+$/.test(key));

interface StoredAddress {
  path: readonly string[];
  field: MediaField;
  most: number;
  address: string;
  /** Among the field's addresses. */
  position: number;
}

/** A payload with one more address in a media field; it replaces where the field takes one. Twice is the same as once. */
export function withAddress(payload: JsonRecord, { path, ...stored }: StoredAddress): JsonRecord {
  const [key, ...rest] = path;
  if (key === undefined) return payload;
  const value = Object.hasOwn(payload, key) ? payload[key] : undefined;
  if (rest.length > 0) {
    return { ...payload, [key]: withAddress(isRecord(value) ? value : {}, { path: rest, ...stored }) };
  }
  const { field, most, address, position } = stored;
  const before = mediaAddresses(value).filter((one) => one !== "");
  if (before.includes(address)) return payload;
  const after = most === 1 ? [address] : [...before.slice(0, position), address, ...before.slice(position)];
  return { ...payload, [key]: mediaValue(field, after.slice(0, most)) };
}

const fieldRowsOf = perConnection((api: Api, accountId: string) =>
  createFieldRows(accountId, uploadsOf(api, accountId), putIntoDraft),
);

/** Where a media field stands, from its form and its place there (`f3`, `f3/image`). */
export function placeOf(form: FormHandle, place: string, label: string): UploadPlace {
  const [name = "", ...rest] = place.split("/");
  return { modelId: form.modelId, path: [form.field(name)?.key ?? name, ...rest], label };
}

/** The inputs of a field on the screen, and their uploads. `onChange` gets the addresses whenever they are others. */
export function useFieldRows(order: FieldOrder, onChange: (addresses: string[]) => void) {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const uploads = uploadsOf(api, accountId);
  const fields = fieldRowsOf(api, accountId);
  const [held] = useState(() => fields.fieldOf(order));
  useEffect(() => fields.show(held, onChange), [fields, held, onChange]);
  useEffect(() => {
    // Stored while nobody looked: it is in the field now.
    for (const { id, place, state } of useUploadStore.getState().uploads) {
      if (state.phase === "done" && isSamePlace(place, held.order.place)) uploads.cancel(id);
    }
  }, [held, uploads]);
  return { rows: held.rows, uploads, place: held.order.place };
}
