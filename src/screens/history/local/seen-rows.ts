import { openRows } from "#storage/database.ts";
import type { HistoryEntry } from "../history-entry.ts";
import { readEntry } from "./read-entry.ts";
import { NOTHING_READ, type ReadPlan, readPlan } from "./read-plan.ts";

const VERSION = 1;

export interface KeptSeen {
  chunks: HistoryEntry[][];
  plan: ReadPlan;
}

/** What this browser kept of a key's jobs. Chunks are JSON texts: measured, that is the quickest to write and to read. */
export async function loadSeen(accountId: string): Promise<KeptSeen> {
  const rows = await (await openRows()).all("seen", accountId);
  const chunks: HistoryEntry[][] = [];
  let plan: ReadPlan = NOTHING_READ;
  for (const row of rows) {
    const value = parse(row.body);
    if (row.key === planKey(accountId)) {
      plan = readPlan(value) ?? NOTHING_READ;
      continue;
    }
    const place = Number(row.key.slice(chunkKey(accountId, "").length));
    if (!Array.isArray(value) || !Number.isInteger(place) || place < 0) continue;
    chunks[place] = value.flatMap((raw) => readEntry(raw) ?? []);
  }
  return { chunks: Array.from(chunks, (chunk) => chunk ?? []), plan };
}

/** Keeps some chunks and the plan, all or none. */
export async function saveSeen(
  accountId: string,
  chunks: ReadonlyMap<number, readonly HistoryEntry[]>,
  plan: ReadPlan,
): Promise<void> {
  const row = (key: string, value: unknown) =>
    ({ kind: "put", store: "seen", row: { key, scope: accountId, v: VERSION, body: JSON.stringify(value) } }) as const;
  const changes = Array.from(chunks, ([place, entries]) => row(chunkKey(accountId, place), entries));
  await (await openRows()).edit({ store: "seen", key: planKey(accountId) }, () => ({
    changes: [...changes, row(planKey(accountId), plan)],
    result: undefined,
  }));
}

const planKey = (accountId: string) => `${accountId}|plan`;
const chunkKey = (accountId: string, place: number | "") => `${accountId}|chunk|${place}`;

function parse(body: unknown): unknown {
  try {
    return typeof body === "string" ? JSON.parse(body) : undefined;
  } catch {
    return undefined;
  }
}
