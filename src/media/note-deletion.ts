import { asNumber, asRecord } from "#lib/read.ts";
import { readJson, writeText } from "#storage/browser-store.ts";
import { removeFiles } from "#storage/stored-files.ts";
import {
  deletionsKey,
  deletionsUnderWay,
  getDeletedMedia,
  readDeletions,
  type StoredDeletion,
  showDeletions,
} from "./deleted-media.ts";
import { fileKey } from "./file-address.ts";

/** Of what is stored. What a newer version of the studio wrote is read as far as it is understood, and not written. */
const VERSION = 1;
const MAX_JOBS = 5000;
/** Of JSON for one account: a fifth of what browsers give all of localStorage. The oldest deletions go first. */
const MAX_CHARACTERS = 1_000_000;
const MAX_FILES = 100;

interface DeletedJob {
  requestId: string;
  /** Addresses of its generated files, and of those inputs that the service stored. */
  files: readonly string[];
  inputs: readonly string[];
}

/**
 * Notes that the media of a job are about to be deleted: before the request leaves, so that a page which dies in between
 * takes them for deleted. Never throws; where nothing can be written it is remembered as long as the page lives.
 */
export function noteDeletion(accountId: string, job: DeletedJob, nowMs = Date.now()): void {
  const keys = (addresses: readonly string[]) =>
    [...new Set(addresses.flatMap((address) => fileKey(address) ?? []))].slice(0, MAX_FILES);
  const { requestId } = job;
  deletionsUnderWay.add(`${accountId}|${requestId}`);
  // The small pictures of what is deleted go with it. Where they cannot, they are not shown.
  void removeFiles(accountId, [...keys(job.files), ...keys(job.inputs)]).catch(() => undefined);
  change(accountId, (deletions) => {
    const known = deletions.find((deletion) => deletion.requestId === requestId);
    if (known?.isConfirmed) return deletions;
    const deletion = { requestId, atMs: nowMs, isConfirmed: false, files: keys(job.files), inputs: keys(job.inputs) };
    return [...deletions.filter((other) => other !== known), deletion];
  });
}

/** The service has deleted the media of a job. */
export function confirmDeletion(accountId: string, requestId: string): void {
  deletionsUnderWay.delete(`${accountId}|${requestId}`);
  // Taken from memory where another tab wrote over the note in the same moment.
  const noted = getDeletedMedia(accountId).jobs.get(requestId);
  change(accountId, (deletions) => {
    const known = deletions.find((deletion) => deletion.requestId === requestId);
    const deletion = known ?? noted;
    return deletion ? [...deletions.filter((other) => other !== known), { ...deletion, isConfirmed: true }] : deletions;
  });
}

/** No answer came, or none that proves anything: the media may be there or gone. */
export function leaveDeletionOpen(accountId: string, requestId: string): void {
  deletionsUnderWay.delete(`${accountId}|${requestId}`);
  change(accountId, (deletions) => deletions);
}

/** The service refused to delete the media of a job, and nothing else is in doubt: they are there. */
export function withdrawDeletion(accountId: string, requestId: string): void {
  deletionsUnderWay.delete(`${accountId}|${requestId}`);
  change(accountId, (deletions) => deletions.filter((known) => known.requestId !== requestId || known.isConfirmed));
}

/**
 * A file was stored at an address. A storage that names files by their content gives the same file its old address after
 * a deletion.
 */
export function noteStored(accountId: string, address: string): void {
  const key = fileKey(address);
  if (key === undefined || !getDeletedMedia(accountId).files.has(key)) return;
  const without = (keys: readonly string[]) => keys.filter((known) => known !== key);
  change(accountId, (deletions) =>
    deletions.map((deletion) => ({ ...deletion, files: without(deletion.files), inputs: without(deletion.inputs) })),
  );
}

/** Accounts of which the last change could not be written: memory alone has it. */
const unwritten = new Set<string>();

function change(accountId: string, next: (deletions: StoredDeletion[]) => StoredDeletion[]): void {
  const { jobs } = getDeletedMedia(accountId);
  // What is stored now, not what memory holds: another tab may have written, or the account's data were deleted.
  const deletions = next(unwritten.has(accountId) ? [...jobs.values()] : readDeletions(accountId)).slice(-MAX_JOBS);
  const texts = deletions.map(toText);
  let characters = texts.reduce((sum, text) => sum + text.length + 1, 0);
  let from = 0;
  while (characters > MAX_CHARACTERS) {
    characters -= (texts[from]?.length ?? 0) + 1;
    from += 1;
  }
  const text = `{"v":${VERSION},"deletions":[${texts.slice(from).join()}]}`;
  const isOurs = (asNumber(asRecord(readJson(deletionsKey(accountId))).v) ?? 0) <= VERSION;
  if (isOurs && writeText(deletionsKey(accountId), text)) unwritten.delete(accountId);
  else unwritten.add(accountId);
  showDeletions(accountId, deletions.slice(from));
}

function toText({ requestId, atMs, isConfirmed, files, inputs }: StoredDeletion): string {
  return JSON.stringify({ requestId, atMs, isConfirmed, files, inputs });
}
