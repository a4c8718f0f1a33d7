import type { FileFacts } from "#api/types.ts";
import { asNumber, asRecord, asText, isRecord, tryParseJson } from "#lib/read.ts";
import { openRows } from "./database.ts";
import { ROW_VERSIONS } from "./keys.ts";
import type { RowChange } from "./rows.ts";

/*
 * What this browser keeps of files, in the store `thumbnails`: one list per account with the shape and the length of each
 * file, and a row for each small picture, written in the same transaction. By the list a page lays out a history before any
 * of its pictures has come, and the files unseen for longest go without reading a picture. Files are named by `fileKey`.
 */

/** A small picture of a file, or the bars of a sound. */
export interface Thumb {
  /** Of the picture: "image/webp"; "" where `bytes` are bars. */
  type: string;
  bytes: ArrayBuffer;
}

/** A file with its thumbnail, where it has one. */
export interface StoredFile {
  /** Its pixels and its length. */
  facts: FileFacts;
  thumb?: Thumb;
}

/** Of one account. About 40 kB each. */
const MOST_THUMBS = 3000;
const MOST_THUMB_BYTES = 64 * 1024 * 1024;
/** Of one account, those without a thumbnail too. About 150 characters each. */
const MOST_FILES = 5000;

// The names are older than the words of the code.
const listKey = (accountId: string) => `${accountId}|thumbs`;
const thumbKey = (accountId: string, file: string) => `${accountId}|thumb|${file}`;

interface Listed {
  /** Of its thumbnail; 0 where there is none. */
  thumbBytes: number;
  /** When it was last shown. */
  seenAtMs: number;
  facts: FileFacts;
}

const STORED_NUMBERS = ["width", "height", "durationSeconds", "bytes"] as const;

/**
 * What was stored of a file when it was shown: pixels, length, size and extension. Everything else that `raw` holds is left
 * out. Never throws.
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

/** What is known of the files of an account, by `fileKey`. Rejects where the database cannot be read. */
export async function readStoredFacts(accountId: string): Promise<Map<string, FileFacts>> {
  const row = await (await openRows()).get("thumbnails", listKey(accountId));
  const listed = [...readList(row?.body)].filter(([, entry]) => hasFacts(entry));
  return new Map(listed.map(([file, { facts }]) => [file, facts]));
}

/** A file with its thumbnail; undefined where there is no thumbnail. Rejects where the database cannot be read. */
export async function readThumb(accountId: string, file: string): Promise<Required<StoredFile> | undefined> {
  const { body } = (await (await openRows()).get("thumbnails", thumbKey(accountId, file))) ?? {};
  const { type, bytes, ...facts } = asRecord(body);
  if (typeof type !== "string" || !isBuffer(bytes)) return undefined;
  return { thumb: { type, bytes }, facts: readFileFacts(facts) };
}

/**
 * Stores what was seen of files, all or none. Of a file that is named without a thumbnail the one that is there stays. What
 * is beyond the bounds goes, the files seen longest ago first: their thumbnails, and later their facts. For a full disk
 * nothing else is dropped. Rejects with `StorageError` where nothing was written.
 */
export async function writeFiles(
  accountId: string,
  files: ReadonlyMap<string, StoredFile>,
  nowMs: number,
): Promise<void> {
  await change(accountId, (listed) => {
    for (const [file, { facts, thumb }] of files) {
      const known = listed.get(file);
      if (!known && !thumb && !hasFacts({ facts })) continue;
      const thumbBytes = thumb?.bytes.byteLength ?? known?.thumbBytes ?? 0;
      listed.set(file, { thumbBytes, seenAtMs: nowMs, facts: { ...known?.facts, ...facts } });
    }
    const dropped = dropOldest(listed);
    const puts = [...files].filter(([file]) => !dropped.includes(file));
    return [
      ...puts.flatMap(([file, { facts, thumb }]) =>
        thumb ? [put(accountId, thumbKey(accountId, file), { ...thumb, ...pixelsAndLength(facts) })] : [],
      ),
      ...dropped.map((file) => removeThumb(accountId, file)),
    ];
  });
}

/** Deletes what is stored of these files. Rejects with `StorageError` where it cannot be deleted. */
export async function removeFiles(accountId: string, files: readonly string[]): Promise<void> {
  await change(accountId, (listed) => {
    const there = files.filter((file) => listed.delete(file));
    return there.map((file) => removeThumb(accountId, file));
  });
}

async function change(accountId: string, decide: (listed: Map<string, Listed>) => RowChange[]): Promise<void> {
  const key = listKey(accountId);
  await (await openRows()).edit({ store: "thumbnails", key, isExpendable: true }, (row) => {
    const listed = readList(row?.body);
    const changes = decide(listed);
    const list = writeList(listed);
    const isSame = list === (row?.body ?? "{}");
    return { changes: isSame ? changes : [...changes, put(accountId, key, list)], result: undefined };
  });
}

/**
 * Drops from the list what is beyond the bounds, the files seen longest ago first, and some more, so that it is not done for
 * each new file. Gives the names of those whose thumbnail goes.
 */
function dropOldest(listed: Map<string, Listed>): string[] {
  const withThumb = [...listed.values()].filter(({ thumbBytes }) => thumbBytes > 0);
  let thumbs = withThumb.length;
  let bytes = withThumb.reduce((sum, { thumbBytes }) => sum + thumbBytes, 0);
  if (thumbs <= MOST_THUMBS && bytes <= MOST_THUMB_BYTES && listed.size <= MOST_FILES) return [];
  const oldest = [...listed].sort(([, a], [, b]) => a.seenAtMs - b.seenAtMs);
  const dropped: string[] = [];
  if (thumbs > MOST_THUMBS || bytes > MOST_THUMB_BYTES) {
    for (const [file, entry] of oldest) {
      if (thumbs <= MOST_THUMBS * 0.9 && bytes <= MOST_THUMB_BYTES * 0.9) break;
      if (entry.thumbBytes === 0) continue;
      thumbs -= 1;
      bytes -= entry.thumbBytes;
      entry.thumbBytes = 0;
      dropped.push(file);
      if (!hasFacts(entry)) listed.delete(file);
    }
  }
  const isOver = listed.size > MOST_FILES;
  for (const [file, { thumbBytes }] of isOver ? oldest.slice(0, listed.size - MOST_FILES * 0.9) : []) {
    listed.delete(file);
    if (thumbBytes > 0) dropped.push(file);
  }
  return dropped;
}

const hasFacts = ({ facts }: Pick<Listed, "facts">) => Object.keys(facts).length > 0;

// As an array for each file: `[thumbBytes, seenAtMs, width, height, seconds]`, 0 for what is not known. A page of before
// reads and writes the first two.
function readList(body: unknown): Map<string, Listed> {
  const entries = Object.entries(asRecord(tryParseJson(asText(body) ?? null)));
  return new Map(
    entries.flatMap(([file, entry]) => {
      const [thumbBytes, seenAtMs, width, height, durationSeconds] = Array.isArray(entry) ? entry : [];
      if (typeof thumbBytes !== "number" || typeof seenAtMs !== "number") return [];
      return [[file, { thumbBytes, seenAtMs, facts: readFileFacts({ width, height, durationSeconds }) }]];
    }),
  );
}

function writeList(listed: ReadonlyMap<string, Listed>): string {
  const entries = Array.from(listed, ([file, { thumbBytes, seenAtMs, facts }]) => {
    const { width = 0, height = 0, durationSeconds = 0 } = facts;
    return [file, [thumbBytes, seenAtMs, width, height, ...(durationSeconds > 0 ? [durationSeconds] : [])]];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

function pixelsAndLength({ width = 0, height = 0, durationSeconds }: FileFacts): object {
  return { width, height, ...(durationSeconds === undefined ? {} : { durationSeconds }) };
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
