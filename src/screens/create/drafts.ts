import { useCallback, useEffect, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { findKey } from "#connection/find-key.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { type UploadPlace, useUploadStore } from "#media/upload/upload-store.ts";
import { placeIn } from "#schema-form/controls/control-props.ts";
import { type FormHandle, PAYLOAD_TEXT } from "#schema-form/form/form-handle.ts";
import { readJson, removeStored, writeJson } from "#storage/browser-store.ts";
import { onWipe } from "#storage/changes.ts";
import { changeDraft, loadDraft, saveDraft } from "#storage/drafts.ts";
import { KEYS } from "#storage/keys.ts";

/** What the form starts with: the draft of this model. Undefined while it is being read. */
export function useStartingPayload(modelId: string): JsonRecord | undefined {
  const accountId = useConnection()?.accountId ?? "";
  const [payload, setPayload] = useState<JsonRecord>();
  useEffect(() => {
    let current = true;
    const key = draftKey(accountId, modelId);
    const atUnload = readUnloadDrafts().get(key);
    if (atUnload && !unsaved.has(key)) write(atUnload);
    const newest = unsaved.get(key)?.payload;
    void loadDraft(accountId, modelId).then((draft) => {
      // The draft may have been read before these were written.
      const late = lateChanges.get(key) ?? [];
      if (current) setPayload(late.reduce((before, change) => change(before), newest ?? draft?.payload ?? {}));
    });
    return () => {
      current = false;
    };
  }, [accountId, modelId]);
  return payload;
}

interface UnsavedDraft {
  accountId: string;
  modelId: string;
  payload: JsonRecord;
  /** Until it is being written. */
  timer?: ReturnType<typeof setTimeout> | undefined;
}

const draftKey = (accountId: string, modelId: string) => `${accountId}|${modelId}`;

/**
 * What was typed and is not in the database yet, the newest of each form. A write that is under way counts as not done: a
 * reload ends it.
 */
const unsaved = new Map<string, UnsavedDraft>();

function write(draft: UnsavedDraft): void {
  const { accountId, modelId, payload } = draft;
  const key = draftKey(accountId, modelId);
  clearTimeout(draft.timer);
  draft.timer = undefined;
  unsaved.set(key, draft);
  void saveDraft(accountId, modelId, payload).then((isSaved) => {
    if (!isSaved || unsaved.get(key) !== draft) return;
    unsaved.delete(key);
    removeUnloadDraft(key);
  });
}

// `pagehide` is the last event that a phone's browser is sure to send.
globalThis.addEventListener?.("pagehide", () => {
  storeUnloadDrafts(unsaved.values());
  // Where the tab is closed and not loaded again, only the database helps.
  for (const draft of unsaved.values()) if (draft.timer !== undefined) write(draft);
});

onWipe((accountId) => {
  for (const [key, draft] of unsaved) {
    if (draft.accountId !== accountId) continue;
    clearTimeout(draft.timer);
    unsaved.delete(key);
  }
});

const QUIET_MS = 300;

/** Stores the draft of a model: 300 ms after the last change, and at once when the form or the page is left. */
export function useSavedDraft(accountId: string, modelId: string): (payload: JsonRecord) => void {
  useEffect(
    () => () => {
      const draft = unsaved.get(draftKey(accountId, modelId));
      if (draft?.timer !== undefined) write(draft);
    },
    [accountId, modelId],
  );
  return useCallback(
    (payload: JsonRecord) => {
      // A key that was typed into the form must not be on the disk.
      if (findKey(payload)?.kind === "own") return;
      const key = draftKey(accountId, modelId);
      clearTimeout(unsaved.get(key)?.timer);
      const draft: UnsavedDraft = { accountId, modelId, payload };
      draft.timer = setTimeout(() => write(draft), QUIET_MS);
      unsaved.set(key, draft);
    },
    [accountId, modelId],
  );
}

type PayloadChange = (payload: JsonRecord) => JsonRecord;

const openForms = new Map<string, FormHandle>();
/**
 * Changes that came while no form was open, or while its JSON text was none: what is made of that text takes the place of
 * all values. A form that was about to open may have read its draft before them.
 */
const lateChanges = new Map<string, PayloadChange[]>();

/**
 * Changes what the person has entered for a model: in its form where that is open, else in the stored draft. The change
 * has to be one that does no more when it is made twice. Gives the form, where one is open.
 */
export function putIntoDraft(accountId: string, modelId: string, change: PayloadChange): FormHandle | undefined {
  const key = draftKey(accountId, modelId);
  const form = openForms.get(key);
  if (form && !form.isUnreadable(PAYLOAD_TEXT)) changeForm(form, change);
  else lateChanges.set(key, [...(lateChanges.get(key) ?? []), change]);
  if (!form) void changeDraft(accountId, modelId, change);
  return form;
}

function makeLateChanges(key: string, form: FormHandle): void {
  const late = lateChanges.get(key);
  if (!late || form.isUnreadable(PAYLOAD_TEXT)) return;
  lateChanges.delete(key);
  for (const change of late) changeForm(form, change);
}

type FormWatcher = (accountId: string, modelId: string, payload: JsonRecord) => void;

const watchers = new Set<FormWatcher>();

/** Calls the watcher with what a form holds when it opens, and after each change of that. */
export function onOpenForms(watcher: FormWatcher): void {
  watchers.add(watcher);
}

function changeForm(form: FormHandle, change: PayloadChange): void {
  const before = form.getPayload();
  const after = change(before);
  for (const [position, { key }] of form.schema.fields.entries()) {
    if (after[key] !== before[key]) form.setField(form.names[position] ?? "", after[key]);
  }
}

/** The form of a model is on the screen: changes from elsewhere reach it. */
export function useOpenForm(accountId: string, modelId: string, form: FormHandle): void {
  useEffect(() => {
    const key = draftKey(accountId, modelId);
    openForms.set(key, form);
    const follow = () => {
      for (const watcher of watchers) watcher(accountId, modelId, form.getPayload());
      makeLateChanges(key, form);
    };
    follow();
    const stopFollowing = form.subscribe(follow);
    // The field of an upload may be folded away.
    const reveal = ({ wantedField }: { wantedField: UploadPlace | undefined }) => {
      const position = form.schema.fields.findIndex((field) => field.key === wantedField?.path?.[0]);
      if (wantedField?.modelId !== modelId || position < 0) return;
      form.reveal((wantedField.path ?? []).slice(1).reduce(placeIn, form.names[position] ?? ""));
    };
    reveal(useUploadStore.getState());
    const stop = useUploadStore.subscribe(reveal);
    return () => {
      stop();
      stopFollowing();
      if (openForms.get(key) !== form) return;
      openForms.delete(key);
      for (const change of lateChanges.get(key) ?? []) void changeDraft(accountId, modelId, change);
    };
  }, [accountId, modelId, form]);
}

// IndexedDB does not finish a write that is under way as the page is left. sessionStorage does, until the tab is closed.

/** Stores what was typed in the last moment before a reload. A full or forbidden storage loses only that moment. */
export function storeUnloadDrafts(drafts: Iterable<UnsavedDraft>): void {
  const all = readUnloadDrafts();
  for (const draft of drafts) all.set(draftKey(draft.accountId, draft.modelId), draft);
  writeUnloadDrafts(all);
}

/** For when the draft of a form is in the database. */
function removeUnloadDraft(key: string): void {
  const all = readUnloadDrafts();
  if (all.delete(key)) writeUnloadDrafts(all);
}

function writeUnloadDrafts(drafts: ReadonlyMap<string, UnsavedDraft>): void {
  const list = [...drafts.values()].map(({ accountId, modelId, payload }) => ({ scope: accountId, modelId, payload }));
  if (list.length > 0) writeJson(KEYS.unloadDraft, list);
  else removeStored(KEYS.unloadDraft);
}

/** What was stored when the page was left: a list, or one draft alone, as a tab of an older version stores it. */
function readUnloadDrafts(): Map<string, UnsavedDraft> {
  const drafts = new Map<string, UnsavedDraft>();
  for (const value of [readJson(KEYS.unloadDraft)].flat()) {
    if (!isRecord(value) || !isRecord(value.payload)) continue;
    const { scope: accountId, modelId, payload } = value;
    if (typeof accountId === "string" && typeof modelId === "string")
      drafts.set(draftKey(accountId, modelId), { accountId, modelId, payload });
  }
  return drafts;
}
