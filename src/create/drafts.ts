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

/** A draft in memory, because the database does not have all of it: it changed, or it has uploads. */
interface MemoryDraft {
  accountId: string;
  modelId: string;
  draft: Draft;
  /** Whether its payload is in the database, as far as this tab changed it. */
  isStored: boolean;
  /** Waits to write it; undefined while no write is planned. */
  timer?: ReturnType<typeof setTimeout> | undefined;
  /** Set while the addresses of stored files are being put into the stored payload. */
  finishing?: Promise<void> | undefined;
}

const keyOf = ({ accountId, modelId }: Pick<MemoryDraft, "accountId" | "modelId">) => draftKey(accountId, modelId);

/**
 * Drafts with uploads, and drafts that are not written yet: one for each form. A write that is under way counts as not
 * done, because a reload would end it.
 */
const inMemory = new Map<string, MemoryDraft>();

/** The forms on the screen. They put in the addresses of their uploads by themselves (`followUploads`). */
const openForms = new Map<string, FormHandle>();

/** A changed payload is written when it did not change again for this long. */
const QUIET_MS = 300;

/** Takes the present draft of a form into memory, and plans to write it where its payload has changed. */
function rememberDraft(accountId: string, modelId: string, draft: Draft, hasChanged: boolean): void {
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

/** Notes that a payload is in the database. A draft that has nothing else leaves memory. */
function noteStored(entry: MemoryDraft, payload: JsonRecord): void {
  if (inMemory.get(keyOf(entry)) !== entry || entry.timer !== undefined || entry.finishing) return;
  if (!sameJson(draftToPayload(entry.draft), payload)) return;
  entry.isStored = true;
  removeUnloadDraft(entry.accountId, entry.modelId);
  if (uploadIds(entry.draft).length === 0) inMemory.delete(keyOf(entry));
}

/** Puts the addresses of stored files into a draft without an open form, in memory and in the database. */
function finishUploads(entry: MemoryDraft): void {
  const { accountId, modelId, draft } = entry;
  const outcomeOf = uploadOutcomes();
  const after = withFinished(draft, outcomeOf);
  if (after === draft) return;
  entry.draft = after;
  if (!entry.isStored) write(entry);
  else if (sameJson(draftToPayload(draft), draftToPayload(after))) noteStored(entry, draftToPayload(after));
  else {
    // The change starts from what is stored, because another tab may have changed that.
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
  for (const [key, entry] of inMemory) if (!openForms.has(key)) finishUploads(entry);
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
  // If the tab is closed for good, only the database has the draft later.
  for (const entry of inMemory.values()) if (entry.timer !== undefined) write(entry);
});

/**
 * The draft with which the form of a model starts, uploads included. It is read once the form can open, so that it is
 * the latest; undefined until then.
 */
export function useStartingDraft(modelId: string, canOpen: boolean): Draft | undefined {
  const accountId = useConnection()?.accountId ?? "";
  const uploads = getAccountUploads(useApi(), accountId);
  const [draft, setDraft] = useState<Draft>();
  useEffect(() => {
    if (!canOpen) return;
    let isCurrent = true;
    void startingDraft(accountId, modelId, uploads, () => isCurrent).then((read) => read && setDraft(read));
    return () => {
      isCurrent = false;
    };
  }, [accountId, modelId, uploads, canOpen]);
  return draft;
}

/**
 * A stored draft, completed from memory, or from what the page left at a reload. Undefined where `isAwaited` says that
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
    // Reads again if an address is being put in, because the draft may have been read before that.
    if (!inMemory.get(key)?.finishing) return withMemory(accountId, modelId, stored?.payload ?? {}, uploads);
  }
}

function withMemory(accountId: string, modelId: string, stored: JsonRecord, uploads: Uploads): Draft {
  const entry = inMemory.get(draftKey(accountId, modelId)) ?? afterReload(accountId, modelId, uploads);
  if (!entry?.isStored) return entry?.draft ?? payloadToDraft(stored);
  // Another tab may have changed what is stored, so that an upload has no place any more.
  const oldIds = uploadIds(entry.draft);
  entry.draft = withDraftUploads(entry.draft, stored);
  noteFields(oldIds, uploadIds(entry.draft));
  noteStored(entry, draftToPayload(entry.draft));
  return entry.draft;
}

/** `followForm` for as long as a component is mounted. */
export function useFormDraft(accountId: string, modelId: string, form: FormHandle): void {
  useEffect(() => followForm(accountId, modelId, form), [accountId, modelId, form]);
}

/**
 * Stores the draft of a form on the screen: 300 ms after the last change of its payload, and at once when the form is
 * left. While the payload contains the person's own key, nothing is stored. Returns the function that stops it.
 */
export function followForm(accountId: string, modelId: string, form: FormHandle): () => void {
  const key = draftKey(accountId, modelId);
  openForms.set(key, form);
  const before = inMemory.get(key)?.draft ?? payloadToDraft({});
  // The listing may have lost a field that a file was for.
  noteFields(uploadIds(before), form.getUploads());
  // Read now, because another connection may be current when the uploads end.
  const keyShape = getConnection()?.keyShape;
  const hasOwnKey = (payload: JsonRecord) => redactKey(payload, keyShape) !== payload;
  /** The last payload without the key. */
  let lastPayload = hasOwnKey(form.getPayload()) ? draftToPayload(before) : form.getPayload();
  const follow = () => {
    noteTakenOut(accountId, form);
    const payload = form.getPayload();
    if (!hasOwnKey(payload)) {
      const hasChanged = payload !== lastPayload;
      lastPayload = payload;
      if (hasChanged || inMemory.has(key) || form.getUploads().length > 0)
        rememberDraft(accountId, modelId, form.getDraft(), hasChanged);
      return;
    }
    // A key in the form must not reach the disk. Uploads still get their addresses, in the payload from before the key.
    const entry = inMemory.get(key);
    if (entry) {
      finishUploads(entry);
      lastPayload = draftToPayload(entry.draft);
    }
    if (form.getUploads().length > 0)
      rememberDraft(accountId, modelId, withDraftUploads(form.getDraft(), lastPayload), false);
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
    finishUploads(entry);
    if (entry.timer !== undefined) write(entry);
  };
}

/**
 * Notes uploads whose address the person removed before it was seen, so that the queue does not say it is in its field.
 */
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

/** Opens the folds around the field of an upload. */
function revealUpload(form: FormHandle, upload: Upload): void {
  const [key = "", ...rest] = pathToItem(form.getDraft(), (item) => isUploadedItem(item, upload)) ?? [];
  const name = form.nameOf(String(key));
  if (name === "") wantField(undefined);
  else form.reveal(rest.reduce<string>(placeIn, name));
}

/**
 * Changes what the person has entered for a model: in its form where that is open, else in its draft. Returns the open
 * form, if any. Rejects where the database cannot be read.
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
    // Field by field, so that unreadable texts of other fields stay.
    for (const [key, value] of Object.entries(change(before)))
      if (value !== before[key]) form.setField(form.nameOf(key), value);
  } else if (draft) rememberDraft(accountId, modelId, withDraftUploads(draft, change(draftToPayload(draft))), true);
  return form;
}

/** A draft in the form in which the next page can read it: each running upload by its names. */
function unloadDraft({ accountId, modelId, draft, isStored, finishing }: MemoryDraft): UnloadDraft {
  const { uploads } = useUploadStore.getState();
  const known = new Map(uploads.filter(isUnderWay).map((upload) => [upload.id, upload]));
  const outcomeOf = uploadOutcomes();
  // Failed uploads are not taken along: they end with the page.
  const withRunning = withFinished(draft, (id) => (known.has(id) ? undefined : (outcomeOf(id) ?? "ended")));
  const payload = draftToPayload(withRunning);
  const rows = uploadValues(withRunning).map(({ path, value: { field, items } }) => ({
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

/** The draft that the page left at a reload. Its uploads have failed, because a browser does not give a file twice. */
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
