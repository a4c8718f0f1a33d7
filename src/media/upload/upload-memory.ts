import { useQuery } from "@tanstack/react-query";
import type { MediaKind } from "#api/types.ts";
import { useConnection } from "#connection/connection-store.ts";
import { storedRowQuery } from "#connection/stored-rows.ts";
import { isRecord } from "#lib/read.ts";
import { openRows } from "#storage/database.ts";
import { putChange, type RowKind, readOne, refuseNewer } from "#storage/typed-rows.ts";
import { getDeletedMedia, noteStored } from "../deleted-media.ts";
import { fileKey } from "../file-address.ts";
import { daysLeft } from "../retention.ts";

/** A file that this browser stored with the service. */
interface UploadedFile {
  /** SHA-256 of the bytes, in hex. */
  hash: string;
  publicUrl: string;
  name: string;
  kind: MediaKind;
  uploadedAtMs: number;
}

const MAX_UPLOADS = 200;
const KINDS: readonly MediaKind[] = ["image", "video", "audio", "other"];

// One row for each key, so that another key or another service never reuses an address.
const rowKind: RowKind<readonly UploadedFile[]> = {
  store: "settings",
  version: 1,
  read: (body) => (Array.isArray(body) ? body.flatMap(readUpload) : undefined),
};
const rowKey = (accountId: string) => `uploads|${accountId}`;

/**
 * What was stored with the service from this browser, newest first, without what was deleted since. Spec 8 names 60
 * days for generated media and nothing for inputs, so older inputs are not used again. Rejects where the database
 * cannot be read.
 */
export async function rememberedUploads(accountId: string, nowMs = Date.now()): Promise<readonly UploadedFile[]> {
  return usable(accountId, await allUploads(accountId), nowMs);
}

/** `rememberedUploads` of the current account, live. Undefined until they were read; none where they cannot be. */
export function useRememberedUploads(): readonly UploadedFile[] | undefined {
  const accountId = useConnection()?.accountId ?? "";
  const { data = [], isFetched } = useQuery(storedRowQuery(rowKind, rowKey(accountId)));
  return isFetched ? usable(accountId, data, Date.now()) : undefined;
}

function usable(accountId: string, uploads: readonly UploadedFile[], nowMs: number): readonly UploadedFile[] {
  const deleted = getDeletedMedia(accountId).files;
  return uploads.filter(
    ({ publicUrl, uploadedAtMs }) =>
      (daysLeft(uploadedAtMs / 1000, nowMs) ?? 0) > 1 && !deleted.has(fileKey(publicUrl) ?? ""),
  );
}

/** Everything that this browser remembers to have stored, whatever became of it. Rejects where it cannot be read. */
export async function allUploads(accountId: string): Promise<readonly UploadedFile[]> {
  return (await readOne(await openRows(), rowKind, rowKey(accountId))) ?? [];
}

/** The addresses of all uploads, which must not be in anything shared. Rejects where the database cannot be read. */
export async function ownAddresses(accountId: string): Promise<ReadonlySet<string>> {
  return new Set((await allUploads(accountId)).map(({ publicUrl }) => publicUrl));
}

/**
 * Remembers an upload, in front of the others. Where nothing can be written, the file is sent again next time.
 */
export async function rememberUpload(accountId: string, upload: UploadedFile): Promise<void> {
  noteStored(accountId, upload.publicUrl);
  await change(accountId, (uploads) =>
    [upload, ...uploads.filter(({ hash }) => hash !== upload.hash)].slice(0, MAX_UPLOADS),
  );
}

/**
 * Forgets addresses that the service no longer serves; all of them where none are named. Deleting a job's media also
 * deletes the inputs it used (spec 4.1). Never rejects.
 */
export async function forgetUploads(accountId: string, addresses?: readonly string[]): Promise<void> {
  const gone = addresses && new Set(addresses.map(fileKey));
  await change(accountId, (uploads) => uploads.filter(({ publicUrl }) => gone && !gone.has(fileKey(publicUrl))));
}

async function change(
  accountId: string,
  next: (uploads: readonly UploadedFile[]) => readonly UploadedFile[],
): Promise<void> {
  const key = rowKey(accountId);
  const rows = await openRows();
  await rows
    .edit({ store: rowKind.store, key }, (row) => {
      refuseNewer(rowKind, row);
      const after = next((row && rowKind.read(row.body, row)) ?? []);
      return { changes: [putChange(rowKind, accountId, key, after)], result: undefined };
    })
    .catch(() => undefined);
}

function readUpload(raw: unknown): UploadedFile[] {
  if (!isRecord(raw) || typeof raw.hash !== "string" || typeof raw.publicUrl !== "string") return [];
  if (typeof raw.name !== "string" || typeof raw.uploadedAtMs !== "number") return [];
  const kind = KINDS.find((known) => known === raw.kind) ?? "other";
  return [{ hash: raw.hash, publicUrl: raw.publicUrl, name: raw.name, kind, uploadedAtMs: raw.uploadedAtMs }];
}
