import { useEffect, useState } from "react";
import { useApi } from "#connection/client.ts";
import { getConnection, useConnection } from "#connection/connection-store.ts";
import { asNumber, isRecord, type JsonRecord, sameJson } from "#lib/read.ts";
import { redactKey } from "#lib/redact-secret.ts";
import {
  isUnderWay,
  noteFields,
  type Upload,
  uploadOutcomes,
  useUploadStore,
  wantedUpload,
  wantField,
} from "#media/upload/upload-store.ts";
import { getAccountUploads, type Uploads } from "#media/upload/uploads.ts";
import { placeIn } from "#schema-form/controls/control-props.ts";
import {
  type Draft,
  type DraftPath,
  draftToPayload,
  pathToItem,
  payloadToDraft,
  uploadIds,
  uploadValues,
  withDraftUploads,
  withFinished,
  withUploadsAt,
} from "#schema-form/draft.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { isUpload, type MediaItem, UploadValue } from "#schema-form/media-value.ts";
import { onWipe } from "#storage/changes.ts";
import {
  changeDraft,
  draftKey,
  loadDraft,
  readUnloadDraft,
  removeUnloadDraft,
  saveDraft,
  storeUnloadDrafts,
  type UnloadDraft,
} from "#storage/drafts.ts";
import { isUploadedItem } from "./media-inputs.ts";

/** A draft that memory has, because the database does not have all of it. */
interface MemoryDraft {
  accountId: string;
  modelId: string;
  draft: Draft;
  /** Whether its payload is in the database, as far as this tab changed it. */
  isStored: boolean;
  /** Until it is being written. */
  timer?: ReturnType<typeof setTimeout> | undefined;
  /** While addresses are being put into what is stored. */
  finishing?: Promise<void> | undefined;
}

const keyOf = ({ accountId, modelId }: Pick<MemoryDraft, "accountId" | "modelId">) => draftKey(accountId, modelId);

/**
 * Drafts that are not written yet, the newest of each form, and drafts with uploads. A write that is under way counts as not
 * done: a reload ends it.
 */
const inMemory = new Map<string, MemoryDraft>();

/** The forms on the screen. They put the addresses of their uploads in themselves: see `followUploads`. */
const openForms = new Map<string, FormHandle>();

const QUIET_MS = 300;

/** Keeps what a form has now. A changed payload is written 300 ms after its last change. */
function keep(accountId: string, modelId: string, draft: Draft, hasChanged: boolean): void {
  const entry: MemoryDraft = inMemory.get(draftKey(accountId, modelId)) ?? {
    accountId,
    modelId,
    draft,
    isStored: true,
  };
  entry.draft = draft;
  inMemory.set(keyOf(entry), entry);
  if (hasChanged) {
    entry.isStored = false;
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => write(entry), QUIET_MS);
  } else if (entry.isStored) noteStored(entry, draftToPayload(draft));
}

function write(entry: MemoryDraft): void {
  const { accountId, modelId } = entry;
  const payload = draftToPayload(entry.draft);
  clearTimeout(entry.timer);
  entry.timer = undefined;
  entry.isStored = false;
  void saveDraft(accountId, modelId, payload).then((isSaved) => isSaved && noteStored(entry, payload));
}

/** This payload is in the database. */
function noteStored(entry: MemoryDraft, payload: JsonRecord): void {
  if (inMemory.get(keyOf(entry)) !== entry || entry.timer !== undefined || entry.finishing) return;
  if (!sameJson(draftToPayload(entry.draft), payload)) return;
  entry.isStored = true;
  removeUnloadDraft(entry.accountId, entry.modelId);
  if (uploadIds(entry.draft).length === 0) inMemory.delete(keyOf(entry));
}

/** Puts the addresses of stored files into a draft without a form, here and in the database. */
function finish(entry: MemoryDraft): void {
  const { accountId, modelId, draft } = entry;
  const outcomeOf = uploadOutcomes();
  const after = withFinished(draft, outcomeOf);
  if (after === draft) return;
  entry.draft = after;
  if (!entry.isStored) write(entry);
  else if (sameJson(draftToPayload(draft), draftToPayload(after))) noteStored(entry, draftToPayload(after));
  else {
    // Another tab may have changed what is stored.
    const change = (stored: JsonRecord) => draftToPayload(withFinished(withDraftUploads(draft, stored), outcomeOf));
    const finishing = changeDraft(accountId, modelId, change).then((isSaved) => {
      if (entry.finishing === finishing) entry.finishing = undefined;
      if (isSaved) noteStored(entry, draftToPayload(after));
      else if (inMemory.get(keyOf(entry)) === entry) write(entry);
    });
    entry.finishing = finishing;
  }
}

useUploadStore.subscribe(() => {
  for (const [key, entry] of inMemory) if (!openForms.has(key)) finish(entry);
});

onWipe((accountId) => {
  for (const [key, entry] of inMemory) {
    if (entry.accountId !== accountId) continue;
    clearTimeout(entry.timer);
    inMemory.delete(key);
  }
});

// `pagehide` is the last event that a phone's browser is sure to send.
globalThis.addEventListener?.("pagehide", () => {
  const leaving = [...inMemory.values()].map(unloadDraft);
  storeUnloadDrafts(leaving.filter(({ isStored, uploads }) => !isStored || uploads.length > 0));
  // Where the tab is closed and not loaded again, only the database helps.
  for (const entry of inMemory.values()) if (entry.timer !== undefined) write(entry);
});

/**
 * What the form of a model starts with: its draft, with its uploads. It is read once the form can open, so that it is the
 * newest. Undefined until then.
 */
export function useStartingDraft(modelId: string, canOpen: boolean): Draft | undefined {
  const accountId = useConnection()?.accountId ?? "";
  const uploads = getAccountUploads(useApi(), accountId);
  const [draft, setDraft] = useState<Draft>();
  useEffect(() => {
    if (!canOpen) return;
    let current = true;
    void startingDraft(accountId, modelId, uploads, () => current).then((read) => read && setDraft(read));
    return () => {
      current = false;
    };
  }, [accountId, modelId, uploads, canOpen]);
  return draft;
}

/**
 * A draft as it is stored, with what memory has of it and what the page before a reload had of it. Undefined where
 * nobody waits for it any more. Rejects where the database cannot be read.
 */
export async function startingDraft(
  accountId: string,
  modelId: string,
  uploads: Uploads,
  isAwaited: () => boolean,
): Promise<Draft | undefined> {
  const key = draftKey(accountId, modelId);
  for (;;) {
    await inMemory.get(key)?.finishing;
    const stored = await loadDraft(accountId, modelId);
    if (!isAwaited()) return undefined;
    // What was read may be from before an address was put in.
    if (!inMemory.get(key)?.finishing) return withMemory(accountId, modelId, stored?.payload ?? {}, uploads);
  }
}

function withMemory(accountId: string, modelId: string, stored: JsonRecord, uploads: Uploads): Draft {
  const entry = inMemory.get(draftKey(accountId, modelId)) ?? afterReload(accountId, modelId, uploads);
  if (!entry?.isStored) return entry?.draft ?? payloadToDraft(stored);
  // Another tab may have changed what is stored: an upload may have no place any more.
  const before = uploadIds(entry.draft);
  entry.draft = withDraftUploads(entry.draft, stored);
  const now = uploadIds(entry.draft);
  noteFields(before, now);
  noteStored(entry, draftToPayload(entry.draft));
  return entry.draft;
}

/** Keeps the draft of a form on the screen: see `followForm`. */
export function useFormDraft(accountId: string, modelId: string, form: FormHandle): void {
  useEffect(() => followForm(accountId, modelId, form), [accountId, modelId, form]);
}

/**
 * The form of a model is on the screen: its draft is stored 300 ms after the last change of its payload, and at once when it
 * is left; not while the payload has the person's own key. Gives the way to stop.
 */
export function followForm(accountId: string, modelId: string, form: FormHandle): () => void {
  const key = draftKey(accountId, modelId);
  openForms.set(key, form);
  const before = inMemory.get(key)?.draft ?? payloadToDraft({});
  // The listing may have lost a field that a file was for.
  noteFields(uploadIds(before), form.getUploads());
  // The form's own connection: another one may be current by the time that its uploads are ended.
  const keyShape = getConnection()?.keyShape;
  const hasOwnKey = (payload: JsonRecord) => redactKey(payload, keyShape) !== payload;
  let last = hasOwnKey(form.getPayload()) ? draftToPayload(before) : form.getPayload();
  const follow = () => {
    noteTakenOut(accountId, form);
    const payload = form.getPayload();
    if (!hasOwnKey(payload)) {
      const hasChanged = payload !== last;
      last = payload;
      if (hasChanged || inMemory.has(key) || form.getUploads().length > 0)
        keep(accountId, modelId, form.getDraft(), hasChanged);
      return;
    }
    // A key that was typed into the form must not be on the disk: files come to what was there before it.
    const entry = inMemory.get(key);
    if (entry) {
      finish(entry);
      last = draftToPayload(entry.draft);
    }
    if (form.getUploads().length > 0) keep(accountId, modelId, withDraftUploads(form.getDraft(), last), false);
  };
  follow();
  const stopFollowing = form.subscribe(follow);
  const reveal = (state: ReturnType<typeof useUploadStore.getState>) => {
    const wanted = wantedUpload(state);
    if (wanted?.modelId === modelId) revealUpload(form, wanted);
  };
  reveal(useUploadStore.getState());
  const stopRevealing = useUploadStore.subscribe(reveal);
  return () => {
    stopRevealing();
    stopFollowing();
    if (openForms.get(key) === form) openForms.delete(key);
    const entry = inMemory.get(key);
    if (!entry) return;
    noteFields([], uploadIds(entry.draft));
    finish(entry);
    if (entry.timer !== undefined) write(entry);
  };
}

/** The queue must not say that a file is in its field where the address was taken out before anybody saw it there. */
function noteTakenOut(accountId: string, form: FormHandle): void {
  const isTakenOut = (upload: Upload) =>
    upload.accountId === accountId &&
    upload.modelId === form.modelId &&
    upload.state.phase === "done" &&
    !upload.state.isSeen &&
    pathToItem(form.getDraft(), (item) => isUploadedItem(item, upload)) === undefined;
  const takenOut = useUploadStore.getState().uploads.filter(isTakenOut);
  if (takenOut.length > 0)
    noteFields(
      takenOut.map(({ id }) => id),
      [],
    );
}

/** The field of an upload may be folded away. */
function revealUpload(form: FormHandle, upload: Upload): void {
  const [key = "", ...rest] = pathToItem(form.getDraft(), (item) => isUploadedItem(item, upload)) ?? [];
  const name = form.nameOf(String(key));
  if (name === "") wantField(undefined);
  else form.reveal(rest.reduce<string>(placeIn, name));
}

/**
 * Changes what the person has entered for a model: in its form where that is open, else in its draft. Gives the form, where
 * one is open. Rejects where the database cannot be read.
 */
export async function putIntoDraft(
  accountId: string,
  modelId: string,
  uploads: Uploads,
  change: (payload: JsonRecord) => JsonRecord,
): Promise<FormHandle | undefined> {
  const key = draftKey(accountId, modelId);
  const draft = openForms.has(key) ? undefined : await startingDraft(accountId, modelId, uploads, () => true);
  const form = openForms.get(key);
  if (form) {
    const before = form.getPayload();
    // One by one: a text of another field that cannot be read yet stays.
    for (const [key, value] of Object.entries(change(before)))
      if (value !== before[key]) form.setField(form.nameOf(key), value);
  } else if (draft) keep(accountId, modelId, withDraftUploads(draft, change(draftToPayload(draft))), true);
  return form;
}

function unloadDraft({ accountId, modelId, draft, isStored, finishing }: MemoryDraft): UnloadDraft {
  const { uploads } = useUploadStore.getState();
  const known = new Map(uploads.filter(isUnderWay).map((upload) => [upload.id, upload]));
  const outcomeOf = uploadOutcomes();
  // Those that failed end with the page.
  const coming = withFinished(draft, (id) => (known.has(id) ? undefined : (outcomeOf(id) ?? "ended")));
  const payload = draftToPayload(coming);
  const rows = uploadValues(coming).map(({ path, value: { field, items } }) => ({
    path,
    ...field,
    items: items.map((item) => {
      const upload = isUpload(item) ? known.get(item.upload) : undefined;
      return isUpload(item) ? { replaces: item.replaces, name: upload?.name, label: upload?.label } : item;
    }),
  }));
  const isWritten = isStored && !finishing && sameJson(payload, draftToPayload(draft));
  return { accountId, modelId, payload, isStored: isWritten, uploads: rows };
}

/** What the page before this one had of a draft. A browser gives no file again: its uploads have failed. */
function afterReload(accountId: string, modelId: string, uploads: Uploads): MemoryDraft | undefined {
  const found = readUnloadDraft(accountId, modelId);
  if (!found) return undefined;
  const ended = found.uploads.flatMap((raw) => readUploads(raw, modelId, uploads) ?? []);
  const draft = withUploadsAt(found.payload, ended);
  const entry: MemoryDraft = { accountId, modelId, draft, isStored: found.isStored };
  inMemory.set(keyOf(entry), entry);
  if (!entry.isStored) write(entry);
  return entry;
}

const SHAPES = ["one", "many", "either"] as const;

function readUploads(
  raw: unknown,
  modelId: string,
  uploads: Uploads,
): { path: DraftPath; value: UploadValue } | undefined {
  if (!isRecord(raw) || !Array.isArray(raw.path) || !Array.isArray(raw.items)) return undefined;
  const { path, items } = raw;
  const maxItems = asNumber(raw.maxItems);
  const shape = SHAPES.find((known) => known === raw.shape);
  const isPath = (steps: unknown[]): steps is (string | number)[] =>
    steps.every((step) => typeof step === "string" || (Number.isInteger(step) && Number(step) >= 0));
  if (!shape || !isPath(path)) return undefined;
  const read = items.flatMap((item): MediaItem[] => {
    if (typeof item === "string") return [item];
    if (!isRecord(item) || typeof item.name !== "string" || typeof item.label !== "string") return [];
    const upload = uploads.addEnded({ modelId, name: item.name, label: item.label });
    return [{ upload, replaces: typeof item.replaces === "string" ? item.replaces : "" }];
  });
  return { path, value: new UploadValue({ shape, maxItems }, read) };
}
