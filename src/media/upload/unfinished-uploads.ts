import { isRecord } from "#lib/read.ts";
import { readJson, removeStored, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { isSamePlace, type UploadPlace } from "./upload-store.ts";

/** An upload that ended with its page. The browser does not give the file again, so only the person can. */
export interface UnfinishedUpload {
  accountId: string;
  /** The file's. */
  name: string;
  place: UploadPlace;
}

/** Stores what is under way as the page goes, for the page that comes after a reload. */
export function noteUnfinished(uploads: readonly UnfinishedUpload[]): void {
  if (uploads.length > 0) writeJson(KEYS.unfinishedUploads, uploads);
  else removeStored(KEYS.unfinishedUploads);
}

/** What the page before this one was uploading, for one account. Never throws. */
export function unfinishedUploads(accountId: string): readonly UnfinishedUpload[] {
  const stored = readJson(KEYS.unfinishedUploads);
  return (Array.isArray(stored) ? stored.flatMap(readUnfinished) : []).filter((one) => one.accountId === accountId);
}

/** Forgets what one field was getting: it was said there. */
export function forgetUnfinished(accountId: string, place: UploadPlace): void {
  const all = unfinishedUploads(accountId);
  const rest = all.filter((one) => !isSamePlace(one.place, place));
  if (rest.length < all.length) noteUnfinished(rest);
}

function readUnfinished(raw: unknown): UnfinishedUpload[] {
  if (!isRecord(raw) || typeof raw.accountId !== "string" || typeof raw.name !== "string") return [];
  const { place } = raw;
  if (!isRecord(place) || typeof place.modelId !== "string" || typeof place.label !== "string") return [];
  if (!Array.isArray(place.path) || !place.path.every((key) => typeof key === "string")) return [];
  const { modelId, path, label } = place as unknown as UploadPlace;
  return [{ accountId: raw.accountId, name: raw.name, place: { modelId, path, label } }];
}
