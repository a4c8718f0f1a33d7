import { asList, isRecord, tryParseJson } from "#lib/read.ts";
import { openRows } from "./database.ts";
import { ROW_VERSIONS } from "./keys.ts";

/*
 * The index of an account's jobs in the store `seen`: chunks of a thousand, each a JSON text, and the plan of what is
 * still to be read. Measured: a record for each job is ten times slower, and JSON texts are the quickest to write and read.
 */

const planKey = (accountId: string) => `${accountId}|plan`;
const chunkKey = (accountId: string, place: number | "") => `${accountId}|chunk|${place}`;

interface StoredIndex {
  /** By place; empty where there is none. Parsed when asked for: a hundred of them take half a second. */
  chunks: (() => unknown[])[];
  /** Untrusted. */
  plan: unknown;
}

/** What this browser has stored of an account's jobs. Rejects where the database cannot be read. */
export async function readIndex(accountId: string): Promise<StoredIndex> {
  const chunks: (() => unknown[])[] = [];
  let plan: unknown;
  for (const { key, body } of await (await openRows()).all("seen", accountId)) {
    const parse = () => (typeof body === "string" ? tryParseJson(body) : undefined);
    const place = Number(key.slice(chunkKey(accountId, "").length));
    if (key === planKey(accountId)) plan = parse();
    else if (Number.isInteger(place) && place >= 0) chunks[place] = () => asList(parse());
  }
  return { chunks: Array.from(chunks, (chunk) => chunk ?? (() => [])), plan };
}

/** Whether a plan leaves nothing to read: every job is indexed, as of the last reading. Never throws. */
export function isPlanComplete(plan: unknown): boolean {
  // Where it begins at some time, older jobs are not indexed.
  return isRecord(plan) && Array.isArray(plan.gaps) && plan.gaps.length === 0 && plan.fromSeconds === undefined;
}

/** Stores some chunks and the plan, all or none. Rejects with `StorageError` where nothing was written. */
export async function writeIndex(
  accountId: string,
  chunks: ReadonlyMap<number, readonly unknown[]>,
  plan: unknown,
): Promise<void> {
  const row = (key: string, value: unknown) =>
    ({
      kind: "put",
      store: "seen",
      row: { key, scope: accountId, v: ROW_VERSIONS.seen, body: JSON.stringify(value) },
    }) as const;
  const changes = Array.from(chunks, ([place, entries]) => row(chunkKey(accountId, place), entries));
  await (await openRows()).edit({ store: "seen", key: planKey(accountId) }, () => ({
    changes: [...changes, row(planKey(accountId), plan)],
    result: undefined,
  }));
}
