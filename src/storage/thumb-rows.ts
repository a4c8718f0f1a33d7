import { asNumber, asRecord, asText, tryParseJson } from "#lib/read.ts";
import { openRows } from "./database.ts";
import { ROW_VERSIONS } from "./keys.ts";
import type { RowChange } from "./rows.ts";

/*
 * Small pictures of generated files, in the store `thumbnails`: a row for each, and one list per account of what there is,
 * written in the same transaction. By the list the oldest unseen go without reading a picture.
 */

/** A small picture, or the bars of a sound, with what is known of the file itself. */
export interface StoredThumb {
  /** Of the picture: "image/webp"; "" where `bytes` are bars. */
  type: string;
  bytes: ArrayBuffer;
  /** Pixels of the file itself; 0 for a sound. */
  width: number;
  height: number;
  durationSeconds?: number;
}

/** Of one account. About 40 kB each. */
const MOST_THUMBS = 3000;
const MOST_BYTES = 64 * 1024 * 1024;

const listKey = (accountId: string) => `${accountId}|thumbs`;
const thumbKey = (accountId: string, file: string) => `${accountId}|thumb|${file}`;

/** What is listed of one picture: how large it is, and when it was last shown. */
type Listed = [bytes: number, seenAtMs: number];

/** The picture of a file (`fileKey`); undefined where there is none. Rejects where the database cannot be read. */
export async function readThumb(accountId: string, file: string): Promise<StoredThumb | undefined> {
  const { body } = (await (await openRows()).get("thumbnails", thumbKey(accountId, file))) ?? {};
  const { type, bytes, width, height, durationSeconds } = asRecord(body);
  if (typeof type !== "string" || !isBuffer(bytes)) return undefined;
  const seconds = asNumber(durationSeconds);
  return {
    type,
    bytes,
    width: asNumber(width) ?? 0,
    height: asNumber(height) ?? 0,
    ...(seconds === undefined ? {} : { durationSeconds: seconds }),
  };
}

/**
 * Stores pictures and notes which ones were `seen`, all or none, and drops those that were seen longest ago where there
 * are too many. For a full disk nothing else is dropped. Rejects with `StorageError` where nothing was written.
 */
export async function writeThumbs(
  accountId: string,
  thumbs: ReadonlyMap<string, StoredThumb>,
  seen: Iterable<string>,
  nowMs: number,
): Promise<void> {
  await change(accountId, (listed) => {
    for (const file of seen) {
      const known = listed.get(file);
      if (known) known[1] = nowMs;
    }
    for (const [file, { bytes }] of thumbs) listed.set(file, [bytes.byteLength, nowMs]);
    const dropped = tooMany(listed);
    const puts = [...thumbs].filter(([file]) => !dropped.includes(file));
    return [
      ...puts.map(([file, thumb]) => put(accountId, thumbKey(accountId, file), thumb)),
      ...dropped.map((file) => remove(accountId, file)),
    ];
  });
}

/** Deletes the pictures of these files. Rejects with `StorageError` where they cannot be deleted. */
export async function removeThumbs(accountId: string, files: readonly string[]): Promise<void> {
  await change(accountId, (listed) => {
    const there = files.filter((file) => listed.delete(file));
    return there.map((file) => remove(accountId, file));
  });
}

async function change(accountId: string, decide: (listed: Map<string, Listed>) => RowChange[]): Promise<void> {
  const key = listKey(accountId);
  await (await openRows()).edit({ store: "thumbnails", key, isExpendable: true }, (row) => {
    const listed = readList(row?.body);
    const changes = decide(listed);
    const list = JSON.stringify(Object.fromEntries(listed));
    const isSame = list === (row?.body ?? "{}");
    return { changes: isSame ? changes : [...changes, put(accountId, key, list)], result: undefined };
  });
}

/** Drops from the list what is beyond the bounds, the ones seen longest ago first, and gives their names. */
function tooMany(listed: Map<string, Listed>): string[] {
  let bytes = 0;
  for (const [size] of listed.values()) bytes += size;
  if (listed.size <= MOST_THUMBS && bytes <= MOST_BYTES) return [];
  const dropped: string[] = [];
  for (const [file, [size]] of [...listed].sort(([, a], [, b]) => a[1] - b[1])) {
    if (listed.size <= MOST_THUMBS * 0.9 && bytes <= MOST_BYTES * 0.9) break;
    listed.delete(file);
    bytes -= size;
    dropped.push(file);
  }
  return dropped;
}

function readList(body: unknown): Map<string, Listed> {
  const entries = Object.entries(asRecord(tryParseJson(asText(body) ?? null)));
  return new Map(
    entries.flatMap(([file, pair]) => {
      const [bytes, seenAtMs] = Array.isArray(pair) ? pair : [];
      return typeof bytes === "number" && typeof seenAtMs === "number" ? [[file, [bytes, seenAtMs]]] : [];
    }),
  );
}

function put(accountId: string, key: string, body: unknown): RowChange {
  return { kind: "put", store: "thumbnails", row: { key, scope: accountId, v: ROW_VERSIONS.thumbnails, body } };
}

function remove(accountId: string, file: string): RowChange {
  return { kind: "remove", store: "thumbnails", key: thumbKey(accountId, file) };
}

// By its tag: a buffer that came out of a database may be of another realm.
function isBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === "[object ArrayBuffer]";
}
