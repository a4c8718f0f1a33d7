import type { FileFacts } from "#api/types.ts";
import { asList, asNumber, asRecord, asText, isRecord, tryParseJson } from "#lib/read.ts";
import { openRows } from "./database.ts";
import { ROW_VERSIONS } from "./keys.ts";
import type { RowChange } from "./rows.ts";

/*
 * What this browser stores of files, in the store `thumbnails`, named by `fileKey`: a row for each small image, and two
 * lists per account. The list of images says which were unseen for longest, so that these are deleted without reading
 * any; it is written in the same transaction. The list of facts has the size and the length of files, so that a page lays
 * out a history before its images have come. It is a row of its own because an older version writes the other list
 * without it.
 */

/** A small image, or the bars of an audio file, with what is known of the file itself. */
export interface StoredThumb {
  /** The type of the image: "image/webp"; "" where `bytes` are bars. */
  type: string;
  bytes: ArrayBuffer;
  /** Its pixels and its length. */
  facts: FileFacts;
}

/** The most thumbnails of one account. About 40 kB each. */
const MAX_THUMBS = 3000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Files of one account of which the facts are listed. About 100 characters each. */
const MAX_FILES = 5000;

const listKey = (accountId: string) => `${accountId}|thumbs`;
const thumbKey = (accountId: string, file: string) => `${accountId}|thumb|${file}`;
const factsKey = (accountId: string) => `${accountId}|files`;

/** What is listed of one image: how large it is, and when it was last shown. */
type Listed = [bytes: number, seenAtMs: number];

const STORED_NUMBERS = ["width", "height", "durationSeconds", "bytes"] as const;

/**
 * The facts of a file that are stored: pixels, length, size and extension. Everything else in `raw` is left out, and
 * so is what is no number above zero.
 */
export function readFileFacts(raw: unknown): FileFacts {
  if (!isRecord(raw)) return {};
  const facts: FileFacts = {};
  for (const name of STORED_NUMBERS) {
    const value = asNumber(raw[name]);
    if (value !== undefined && value > 0) facts[name] = value;
  }
  const { extension } = raw;
  if (typeof extension === "string" && /^[a-z0-9]{1,8}$/.test(extension)) facts.extension = extension;
  return facts;
}

/** What is known of the files of an account. Rejects where the database cannot be read. */
export async function readStoredFacts(accountId: string): Promise<Map<string, FileFacts>> {
  return readFactsList((await (await openRows()).get("thumbnails", factsKey(accountId)))?.body);
}

/**
 * Stores the pixels and the length of files, and drops those that were learned longest ago where there are too many. For a
 * full disk nothing else is dropped. Rejects with `StorageError` where nothing was written.
 */
export async function writeFacts(accountId: string, files: ReadonlyMap<string, FileFacts>): Promise<void> {
  await changeFacts(accountId, (listed) => {
    for (const [file, facts] of files) {
      const next = { ...listed.get(file), ...facts };
      listed.delete(file);
      listed.set(file, next);
    }
    for (const file of listed.keys()) {
      if (listed.size <= MAX_FILES) break;
      listed.delete(file);
    }
  });
}

/** The image of a file; undefined where there is none. Rejects where the database cannot be read. */
export async function readThumb(accountId: string, file: string): Promise<StoredThumb | undefined> {
  const { body } = (await (await openRows()).get("thumbnails", thumbKey(accountId, file))) ?? {};
  const { type, bytes, ...facts } = asRecord(body);
  if (typeof type !== "string" || !isBuffer(bytes)) return undefined;
  return { type, bytes, facts: readFileFacts(facts) };
}

/**
 * Stores images and notes which ones were `seen`, all or none, and drops those that were seen longest ago where there
 * are too many. For a full disk nothing else is dropped. Rejects with `StorageError` where nothing was written.
 */
export async function writeThumbs(
  accountId: string,
  thumbs: ReadonlyMap<string, StoredThumb>,
  seen: Iterable<string>,
  nowMs: number,
): Promise<void> {
  await changeThumbs(accountId, (listed) => {
    for (const file of seen) {
      const known = listed.get(file);
      if (known) known[1] = nowMs;
    }
    for (const [file, { bytes }] of thumbs) listed.set(file, [bytes.byteLength, nowMs]);
    const dropped = dropBeyondBounds(listed);
    const puts = [...thumbs].filter(([file]) => !dropped.includes(file));
    return [
      ...puts.map(([file, thumb]) => put(accountId, thumbKey(accountId, file), rowOf(thumb))),
      ...dropped.map((file) => removeThumb(accountId, file)),
    ];
  });
}

/** Deletes the images and the facts of these files. Rejects with `StorageError` where they cannot be deleted. */
export async function removeFiles(accountId: string, files: readonly string[]): Promise<void> {
  // Not one after the other: where one list cannot be written, the other still is.
  await Promise.all([
    changeThumbs(accountId, (listed) => {
      const removed = files.filter((file) => listed.delete(file));
      return removed.map((file) => removeThumb(accountId, file));
    }),
    changeFacts(accountId, (listed) => {
      for (const file of files) listed.delete(file);
    }),
  ]);
}

async function changeThumbs(accountId: string, decide: (listed: Map<string, Listed>) => RowChange[]): Promise<void> {
  const key = listKey(accountId);
  await (await openRows()).edit({ store: "thumbnails", key, isExpendable: true }, (row) => {
    const listed = readThumbList(row?.body);
    const changes = decide(listed);
    const list = JSON.stringify(Object.fromEntries(listed));
    const isSame = list === (row?.body ?? "{}");
    return { changes: isSame ? changes : [...changes, put(accountId, key, list)], result: undefined };
  });
}

async function changeFacts(accountId: string, change: (listed: Map<string, FileFacts>) => void): Promise<void> {
  const key = factsKey(accountId);
  await (await openRows()).edit({ store: "thumbnails", key, isExpendable: true }, (row) => {
    const listed = readFactsList(row?.body);
    change(listed);
    const entries = Array.from(listed, ([file, { width = 0, height = 0, durationSeconds }]) => [
      file,
      [width, height, ...(durationSeconds === undefined ? [] : [durationSeconds])],
    ]);
    const list = JSON.stringify(Object.fromEntries(entries));
    const isSame = list === (row?.body ?? "{}");
    return { changes: isSame ? [] : [put(accountId, key, list)], result: undefined };
  });
}

/** Drops images from the list, those seen longest ago first, where there are too many. Gives their names. */
function dropBeyondBounds(listed: Map<string, Listed>): string[] {
  let bytes = 0;
  for (const [size] of listed.values()) bytes += size;
  if (listed.size <= MAX_THUMBS && bytes <= MAX_BYTES) return [];
  const dropped: string[] = [];
  for (const [file, [size]] of [...listed].sort(([, a], [, b]) => a[1] - b[1])) {
    // A tenth more than necessary, so that not every further image drops another.
    if (listed.size <= MAX_THUMBS * 0.9 && bytes <= MAX_BYTES * 0.9) break;
    listed.delete(file);
    bytes -= size;
    dropped.push(file);
  }
  return dropped;
}

function readThumbList(body: unknown): Map<string, Listed> {
  const entries = Object.entries(asRecord(tryParseJson(asText(body) ?? null)));
  return new Map(
    entries.flatMap(([file, pair]) => {
      const [bytes, seenAtMs] = Array.isArray(pair) ? pair : [];
      return typeof bytes === "number" && typeof seenAtMs === "number" ? [[file, [bytes, seenAtMs]]] : [];
    }),
  );
}

// `[width, height, seconds]` of each file, 0 for what is not known, the ones learned longest ago first.
function readFactsList(body: unknown): Map<string, FileFacts> {
  const entries = Object.entries(asRecord(tryParseJson(asText(body) ?? null)));
  return new Map(
    entries.map(([file, entry]) => {
      const [width, height, durationSeconds] = asList(entry);
      return [file, readFileFacts({ width, height, durationSeconds })];
    }),
  );
}

// As an older version reads and writes it: 0 pixels for a sound.
function rowOf({ type, bytes, facts: { width = 0, height = 0, durationSeconds } }: StoredThumb): object {
  return { type, bytes, width, height, ...(durationSeconds === undefined ? {} : { durationSeconds }) };
}

function put(accountId: string, key: string, body: unknown): RowChange {
  return { kind: "put", store: "thumbnails", row: { key, scope: accountId, v: ROW_VERSIONS.thumbnails, body } };
}

function removeThumb(accountId: string, file: string): RowChange {
  return { kind: "remove", store: "thumbnails", key: thumbKey(accountId, file) };
}

// By its tag: a buffer that came out of a database may be of another realm.
function isBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === "[object ArrayBuffer]";
}
