import { abortableDelay } from "#lib/delay.ts";
import { asList, asNumber, isRecord, tryParseJson } from "#lib/read.ts";
import { openRows } from "./database.ts";
import { type JobRecord, readStoredJob } from "./job-records.ts";
import { ROW_VERSIONS } from "./keys.ts";

/*
 * The index of an account's jobs in the store `seen`: chunks of a thousand, each a JSON text, and the place where reading
 * the service's list goes on (`runs/job-list/job-pages.ts`). Measured: a record for each job is ten times slower, and JSON
 * texts are the quickest to write and read.
 */

// "plan" is its name in every stored index, also in those that an older page still reads.
const placeKey = (accountId: string) => `${accountId}|plan`;
const chunkKey = (accountId: string, place: number | "") => `${accountId}|chunk|${place}`;

/** How long chunks are parsed, in ms, before the page gets a turn. */
const SLICE_MS = 16;

/**
 * Gives what this browser has indexed of an account's jobs, chunk by chunk; a chunk may be empty. Resolves to the stored
 * place where reading goes on, which is untrusted: undefined where fewer jobs were found than were stored with it. The page
 * stays usable meanwhile, because `pause` is awaited between slices. Rejects where the database cannot be read.
 */
export async function readIndex(
  accountId: string,
  onChunk: (jobs: JobRecord[]) => void,
  pause = () => abortableDelay(0),
): Promise<unknown> {
  const chunks: unknown[] = [];
  let readingPlace: unknown;
  let count = 0;
  for (const { key, body } of await (await openRows()).all("seen", accountId)) {
    const place = Number(key.slice(chunkKey(accountId, "").length));
    if (key === placeKey(accountId)) readingPlace = parse(body);
    else if (Number.isInteger(place) && place >= 0) chunks[place] = body;
  }
  let sinceMs = performance.now();
  for (const body of chunks) {
    if (performance.now() - sinceMs > SLICE_MS) {
      await pause();
      sinceMs = performance.now();
    }
    const jobs = asList(parse(body)).flatMap((raw) => readStoredJob(raw) ?? []);
    count += jobs.length;
    onChunk(jobs);
  }
  // Chunks that were stored may have been dropped to make room.
  const isCut = isRecord(readingPlace) && count < (asNumber(readingPlace.count) ?? 0);
  return isCut ? undefined : readingPlace;
}

const parse = (body: unknown) => (typeof body === "string" ? tryParseJson(body) : undefined);

/**
 * Stores some chunks and the place, all or none. `count`: how many jobs all chunks hold. Rejects with `StorageError` where
 * nothing was written.
 */
export async function writeIndex(
  accountId: string,
  chunks: ReadonlyMap<number, readonly unknown[]>,
  readingPlace: object,
  count: number,
): Promise<void> {
  const row = (key: string, value: unknown) =>
    ({
      kind: "put",
      store: "seen",
      row: { key, scope: accountId, v: ROW_VERSIONS.seen, body: JSON.stringify(value) },
    }) as const;
  const changes = Array.from(chunks, ([place, entries]) => row(chunkKey(accountId, place), entries));
  await (await openRows()).edit({ store: "seen", key: placeKey(accountId) }, () => ({
    changes: [...changes, row(placeKey(accountId), { ...readingPlace, count })],
    result: undefined,
  }));
}
