import { create } from "zustand";
import { getConnection, useConnection } from "#connection/connection-store.ts";
import { asNumber, asRecord, asRecords, asTexts } from "#lib/read.ts";
import { formatDateTime } from "#lib/time.ts";
import { onStoredChange, readJson, writeText } from "#storage/browser-store.ts";
import { onWipe } from "#storage/changes.ts";
import { KEYS, keyOfAccount } from "#storage/keys.ts";
import { removeFiles } from "#storage/stored-files.ts";
import { fileKey } from "./file-address.ts";
import type { MediaFailure } from "./media-failure.ts";

/*
 * What was deleted from this browser. The record of a job says nothing about it (spec 4.1 rule 6), and a cache may serve
 * a deleted file for five minutes more (spec 8). So it is remembered per account, in localStorage: a list has to know it
 * before it shows its first picture, and localStorage is the one store that is read at once.
 */

/** A deletion of a job's media that was requested in this browser. */
export interface Deletion {
  /** When it was asked for; undefined where an older version of the studio noted it. */
  atMs: number | undefined;
  /** False until the service confirms it: the request may have been lost, or the page closed. */
  isConfirmed: boolean;
  /** This page waits for the answer. */
  isUnderWay?: boolean;
}

/** A deletion in words: "deleted Nov 20, 2026, 12:45 PM", or that it is not confirmed. */
export function deletionText({ atMs, isConfirmed, isUnderWay }: Deletion): string {
  if (isUnderWay) return "being deleted";
  const when = atMs === undefined ? "" : ` ${formatDateTime(atMs / 1000)}`;
  return isConfirmed ? `deleted${when}` : `deletion not confirmed${when && `, requested${when}`}`;
}

/** A deletion in one word, for a narrow cell. */
export function deletionWord({ isConfirmed, isUnderWay }: Deletion): string {
  if (isUnderWay) return "deleting";
  return isConfirmed ? "deleted" : "deleted?";
}

/** A deletion as a notice in the place of a job's files. `isConfirmed: false`: the files may still be there. */
export function deletionNotice({ atMs, isConfirmed, isUnderWay }: Deletion): {
  tone: "info" | "warning";
  title: string;
  body?: string;
} {
  if (isUnderWay) return { tone: "info", title: "Deleting files…" };
  const when = atMs === undefined ? "" : ` on ${formatDateTime(atMs / 1000)}`;
  if (isConfirmed) {
    return {
      tone: "info",
      title: "Files deleted",
      body: `You deleted these files${when}. The job and its settings stay.`,
    };
  }
  return {
    tone: "warning",
    title: "Deletion not confirmed",
    body: `You asked the service to delete these files${when}, but it didn’t confirm. They may be gone, so they are hidden. Delete them again to be sure.`,
  };
}

/** What is shown in place of a file: its own deletion, else "deleted" where its job's files are (`isWithJob`). */
export function deletionFailure(deletion: Deletion | undefined, isWithJob: boolean): MediaFailure | undefined {
  if (!deletion) return isWithJob ? "deleted" : undefined;
  if (deletion.isUnderWay) return "deleting";
  return deletion.isConfirmed ? "deleted" : "unconfirmed";
}

/** A deletion with all that is stored of it. */
interface StoredDeletion extends Deletion {
  requestId: string;
  /** Keys (`fileKey`) of the generated files, and of the inputs that the service stored. */
  files: readonly string[];
  inputs: readonly string[];
}

/** Everything that was deleted for one account. A new object after each change. */
export interface DeletedMedia {
  jobs: ReadonlyMap<string, StoredDeletion>;
  /** The deletions, by the key of a file. */
  files: ReadonlyMap<string, Deletion>;
}

/** `account|job` of each deletion that this page waits for. */
const deletionsUnderWay = new Set<string>();
/**
 * Deletions by account. The first read of an account is added in place, without an event: it is no news, and rendering
 * may cause it.
 */
const useDeletions = create(() => ({ byAccount: new Map<string, DeletedMedia>() }));

/** The key in localStorage for the deletions of an account. */
const deletionsKey = (accountId: string) => keyOfAccount(KEYS.deletedFiles, accountId);

/** Everything that was deleted for an account. */
export function getDeletedMedia(accountId: string): DeletedMedia {
  const { byAccount } = useDeletions.getState();
  const known = byAccount.get(accountId);
  if (known) return known;
  if (typeof window !== "undefined") {
    if (byAccount.size === 0) onWipe((wiped) => isRead(wiped) && showDeletions(wiped, []));
    onStoredChange(deletionsKey(accountId), () => showDeletions(accountId, readDeletions(accountId)));
  }
  const read = joinDeletions(accountId, readDeletions(accountId));
  byAccount.set(accountId, read);
  return read;
}

const isRead = (accountId: string) => useDeletions.getState().byAccount.has(accountId);

function joinDeletions(accountId: string, stored: readonly StoredDeletion[]): DeletedMedia {
  const deletions = stored.map((deletion) => ({
    ...deletion,
    isUnderWay: deletionsUnderWay.has(`${accountId}|${deletion.requestId}`),
  }));
  const jobs = new Map<string, StoredDeletion>(deletions.map((deletion) => [deletion.requestId, deletion]));
  const files = new Map(
    deletions.flatMap((deletion) => [...deletion.files, ...deletion.inputs].map((key) => [key, deletion])),
  );
  // Version 0.1 noted ids without their account.
  for (const requestId of asTexts(readJson(KEYS.deletedMedia))) {
    if (!jobs.has(requestId))
      jobs.set(requestId, { requestId, atMs: undefined, isConfirmed: true, files: [], inputs: [] });
  }
  return { jobs, files };
}

/** Takes deletions as those of an account and reports them to the page. */
function showDeletions(accountId: string, deletions: readonly StoredDeletion[]): void {
  const deleted = joinDeletions(accountId, deletions);
  useDeletions.setState(({ byAccount }) => ({ byAccount: new Map(byAccount).set(accountId, deleted) }));
}

/** Calls the listener after each change of the deletions, also by another tab. Returns the function that stops it. */
export function onDeletedMedia(listener: () => void): () => void {
  return useDeletions.subscribe(() => listener());
}

/** Everything that was deleted for the current account, live. */
export function useDeletedMedia(): DeletedMedia {
  const accountId = useConnection()?.accountId ?? "";
  return useDeletions(() => getDeletedMedia(accountId));
}

/** Whether and when the media of a job were deleted; undefined where they were not. */
export function useDeletion(requestId: string): Deletion | undefined {
  return useDeletedMedia().jobs.get(requestId);
}

/** Whether this browser has had the media of a job deleted, or may have. */
export function useIsMediaDeleted(requestId: string): boolean {
  return useDeletion(requestId) !== undefined;
}

/** Whether and when the file at an address was deleted, as a result or as an input; undefined where it was not. */
export function useFileDeletion(address: string): Deletion | undefined {
  return fileDeletion(useDeletedMedia(), address);
}

/** The deletion of a job's media, outside a component. */
export function getDeletion(requestId: string): Deletion | undefined {
  return getDeletedMedia(currentAccount()).jobs.get(requestId);
}

/** Whether a job's media were deleted, outside a component. */
export function isMediaDeleted(requestId: string): boolean {
  return getDeletion(requestId) !== undefined;
}

/**
 * Whether the file at an address was deleted, outside a component; `perhaps` where no answer came, or not yet.
 */
export function isFileDeleted(address: string): boolean | "perhaps" {
  const deletion = fileDeletion(getDeletedMedia(currentAccount()), address);
  return deletion?.isConfirmed === false ? "perhaps" : deletion !== undefined;
}

const currentAccount = () => getConnection()?.accountId ?? "";

/** Whether and when one file was deleted, of what `useDeletedMedia` gives. */
export function fileDeletion({ files }: DeletedMedia, address: string): Deletion | undefined {
  if (files.size === 0) return undefined;
  const key = fileKey(address);
  return key === undefined ? undefined : files.get(key);
}

/** The deletions of an account that are stored now, oldest first: another tab may have written them. */
function readDeletions(accountId: string): StoredDeletion[] {
  const { deletions } = asRecord(readJson(deletionsKey(accountId)));
  return asRecords(deletions).flatMap(({ requestId, atMs, isConfirmed, files, inputs }) =>
    typeof requestId === "string"
      ? [
          {
            requestId,
            atMs: asNumber(atMs),
            isConfirmed: isConfirmed === true,
            files: asTexts(files),
            inputs: asTexts(inputs),
          },
        ]
      : [],
  );
}

/** The version of what is stored. What a newer studio wrote is read as far as it is understood, and not written. */
const VERSION = 1;
const MAX_JOBS = 5000;
/** The most JSON for one account: a fifth of what browsers give all of localStorage. The oldest deletions go first. */
const MAX_CHARACTERS = 1_000_000;
const MAX_FILES = 100;

interface DeletedJob {
  requestId: string;
  /** Addresses of its generated files, and of those inputs that the service stored. */
  files: readonly string[];
  inputs: readonly string[];
}

/**
 * Notes that the media of a job are about to be deleted: before the request leaves, so that a page which dies in
 * between takes them for deleted. Where nothing can be written, this is remembered while the page is open.
 */
export function noteDeletion(accountId: string, job: DeletedJob, nowMs = Date.now()): void {
  const keys = (addresses: readonly string[]) =>
    [...new Set(addresses.flatMap((address) => fileKey(address) ?? []))].slice(0, MAX_FILES);
  const { requestId } = job;
  deletionsUnderWay.add(`${accountId}|${requestId}`);
  // Their small pictures are deleted too. Should that fail, they are not shown.
  void removeFiles(accountId, [...keys(job.files), ...keys(job.inputs)]).catch(() => undefined);
  change(accountId, (deletions) => {
    const known = deletions.find((deletion) => deletion.requestId === requestId);
    if (known?.isConfirmed) return deletions;
    const deletion = { requestId, atMs: nowMs, isConfirmed: false, files: keys(job.files), inputs: keys(job.inputs) };
    return [...deletions.filter((other) => other !== known), deletion];
  });
}

/** Notes that the service has deleted the media of a job. */
export function confirmDeletion(accountId: string, requestId: string): void {
  deletionsUnderWay.delete(`${accountId}|${requestId}`);
  // Another tab may have overwritten the stored note in the same moment: then the one in memory counts.
  const noted = getDeletedMedia(accountId).jobs.get(requestId);
  change(accountId, (deletions) => {
    const known = deletions.find((deletion) => deletion.requestId === requestId);
    const deletion = known ?? noted;
    return deletion ? [...deletions.filter((other) => other !== known), { ...deletion, isConfirmed: true }] : deletions;
  });
}

/** Notes that no answer came, or none that proves anything: the media may be there or gone. */
export function leaveDeletionOpen(accountId: string, requestId: string): void {
  deletionsUnderWay.delete(`${accountId}|${requestId}`);
  change(accountId, (deletions) => deletions);
}

/** Takes back the note of a deletion that the service refused: the media are there. One that was confirmed stays. */
export function withdrawDeletion(accountId: string, requestId: string): void {
  deletionsUnderWay.delete(`${accountId}|${requestId}`);
  change(accountId, (deletions) => deletions.filter((known) => known.requestId !== requestId || known.isConfirmed));
}

/**
 * Forgets that the file at an address was deleted, because one was stored there again: a storage that names files by
 * their content gives the same file its old address.
 */
export function noteStored(accountId: string, address: string): void {
  const key = fileKey(address);
  if (key === undefined || !getDeletedMedia(accountId).files.has(key)) return;
  const without = (keys: readonly string[]) => keys.filter((known) => known !== key);
  change(accountId, (deletions) =>
    deletions.map((deletion) => ({ ...deletion, files: without(deletion.files), inputs: without(deletion.inputs) })),
  );
}

/** Accounts whose last change could not be written: only memory has it. */
const unwritten = new Set<string>();

function change(accountId: string, next: (deletions: StoredDeletion[]) => StoredDeletion[]): void {
  const { jobs } = getDeletedMedia(accountId);
  // Starts from what is stored, not from memory: another tab may have written, or the account's data were deleted.
  const deletions = next(unwritten.has(accountId) ? [...jobs.values()] : readDeletions(accountId)).slice(-MAX_JOBS);
  const texts = deletions.map(toText);
  let characters = texts.reduce((sum, text) => sum + text.length + 1, 0);
  let firstStored = 0;
  while (characters > MAX_CHARACTERS) {
    characters -= (texts[firstStored]?.length ?? 0) + 1;
    firstStored += 1;
  }
  const text = `{"v":${VERSION},"deletions":[${texts.slice(firstStored).join()}]}`;
  const mayWrite = (asNumber(asRecord(readJson(deletionsKey(accountId))).v) ?? 0) <= VERSION;
  if (mayWrite && writeText(deletionsKey(accountId), text)) unwritten.delete(accountId);
  else unwritten.add(accountId);
  showDeletions(accountId, deletions.slice(firstStored));
}

function toText({ requestId, atMs, isConfirmed, files, inputs }: StoredDeletion): string {
  return JSON.stringify({ requestId, atMs, isConfirmed, files, inputs });
}
