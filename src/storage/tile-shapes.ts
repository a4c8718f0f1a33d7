import { asNumber, asRecord, asText, tryParseJson } from "#lib/read.ts";
import { openRows } from "./database.ts";
import { ROW_VERSIONS } from "./keys.ts";
import type { RowChange } from "./rows.ts";

/*
 * The shapes of tiles, in the store `thumbnails`: a list of jobs is laid out before any of its pictures has come, and stands
 * still from then on. In chunks, so that little is written when a shape becomes known.
 */

/** Shapes of so many jobs make a chunk. */
export const SHAPES_AT_ONCE = 500;
/** The newest ones of an account: 20,000 jobs. */
const MOST_CHUNKS = 40;
const newestKey = (accountId: string) => `${accountId}|shapes`;
const chunkKey = (accountId: string, place: number) => `${accountId}|shapes|${place}`;

/** Width over height, by the id of a job. */
type Shapes = Map<string, number>;

/** The chunks of an account by their places, of which the highest is the newest. Rejects where the database cannot be read. */
export async function readShapes(accountId: string): Promise<Map<number, Shapes>> {
  const rows = await openRows();
  const newest = asNumber((await rows.get("thumbnails", newestKey(accountId)))?.body) ?? -1;
  const places = Array.from({ length: MOST_CHUNKS }, (_, back) => newest - back).filter((place) => place >= 0);
  const chunks = await Promise.all(places.map((place) => rows.get("thumbnails", chunkKey(accountId, place))));
  return new Map(
    chunks.map((chunk, at) => {
      const shapes = Object.entries(asRecord(tryParseJson(asText(chunk?.body))));
      return [places[at] ?? 0, new Map(shapes.flatMap(([id, shape]) => (isShape(shape) ? [[id, shape]] : [])))];
    }),
  );
}

/**
 * Stores one chunk, and drops the one that is then too old. On a full disk nothing else is dropped for it. Rejects with
 * `StorageError` where nothing was written.
 */
export async function writeShapes(
  accountId: string,
  place: number,
  shapes: ReadonlyMap<string, number>,
): Promise<void> {
  const put = (key: string, body: unknown): RowChange => ({
    kind: "put",
    store: "thumbnails",
    row: { key, scope: accountId, v: ROW_VERSIONS.thumbnails, body },
  });
  const changes: RowChange[] = [
    put(newestKey(accountId), place),
    put(chunkKey(accountId, place), JSON.stringify(Object.fromEntries(shapes))),
    { kind: "remove", store: "thumbnails", key: chunkKey(accountId, place - MOST_CHUNKS) },
  ];
  const target = { store: "thumbnails", key: newestKey(accountId), isExpendable: true } as const;
  await (await openRows()).edit(target, () => ({ changes, result: undefined }));
}

const isShape = (value: unknown): value is number => typeof value === "number" && value > 0 && value < 100;
