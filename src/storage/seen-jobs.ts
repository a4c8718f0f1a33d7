import { abortableDelay } from "#lib/delay.ts";
import { isMicroUsd } from "#lib/money.ts";
import { asList, isRecord, tryParseJson } from "#lib/read.ts";
import { openRows } from "./database.ts";
import { type JobRecord, readStoredJob } from "./job-records.ts";
import { ROW_VERSIONS } from "./keys.ts";

/*
 * The index of an account's jobs in the store `seen`: chunks of a thousand, each a JSON text, and the plan of what is
 * still to be read. Measured: a record for each job is ten times slower, and JSON texts are the quickest to write and read.
 */

const planKey = (accountId: string) => `${accountId}|plan`;
const chunkKey = (accountId: string, place: number | "") => `${accountId}|chunk|${place}`;

/** For so long at once, in ms, the page does nothing else while a hundred chunks are parsed. */
const SLICE_MS = 16;

/**
 * Gives what this browser has indexed of an account's jobs, chunk by chunk, and resolves to the plan, which is untrusted. A
 * chunk may be empty. The page stays usable meanwhile: `rest` ends each turn. Rejects where the database cannot be read.
 */
export async function readIndex(
  accountId: string,
  take: (jobs: JobRecord[]) => void,
  rest = () => abortableDelay(0),
): Promise<unknown> {
  const chunks: unknown[] = [];
  let plan: unknown;
  for (const { key, body } of await (await openRows()).all("seen", accountId)) {
    const place = Number(key.slice(chunkKey(accountId, "").length));
    if (key === planKey(accountId)) plan = parse(body);
    else if (Number.isInteger(place) && place >= 0) chunks[place] = body;
  }
  let sinceMs = performance.now();
  for (const body of chunks) {
    if (performance.now() - sinceMs > SLICE_MS) {
      await rest();
      sinceMs = performance.now();
    }
    take(asList(parse(body)).flatMap((raw) => readIndexed(raw) ?? []));
  }
  return plan;
}

const parse = (body: unknown) => (typeof body === "string" ? tryParseJson(body) : undefined);

/** A job of the index: untrusted, undefined where it is none. Never throws. */
export function readIndexed(raw: unknown): JobRecord | undefined {
  const job = readStoredJob(raw);
  if (job === undefined || !isRecord(raw)) return undefined;
  const { priceMicroUsd, estimatedMicroUsd, prompt } = raw;
  return {
    ...job,
    priceMicroUsd: isMicroUsd(priceMicroUsd) ? priceMicroUsd : undefined,
    ...(isMicroUsd(estimatedMicroUsd) ? { estimatedMicroUsd } : {}),
    // A payload that was too large to be stored has left its prompt.
    ...(job.payload === undefined && typeof prompt === "string" && prompt !== "" ? { prompt } : {}),
  };
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
