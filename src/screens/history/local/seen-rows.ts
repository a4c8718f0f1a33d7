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
export async function loadSeen(scope: string): Promise<KeptSeen> {
  const rows = await (await openRows()).all("seen", scope);
  const chunks: HistoryEntry[][] = [];
  let plan: ReadPlan = NOTHING_READ;
  for (const row of rows) {
    const value = parse(row.body);
    if (row.key === planKey(scope)) {
      plan = readPlan(value) ?? NOTHING_READ;
      continue;
    }
    const place = Number(row.key.slice(chunkKey(scope, "").length));
    if (!Array.isArray(value) || !Number.isInteger(place) || place < 0) continue;
    chunks[place] = value.flatMap((raw) => readEntry(raw) ?? []);
  }
  return { chunks: Array.from(chunks, (chunk) => chunk ?? []), plan };
}

/** Keeps some chunks and the plan, all or none. */
export async function saveSeen(
  scope: string,
  chunks: ReadonlyMap<number, readonly HistoryEntry[]>,
  plan: ReadPlan,
): Promise<void> {
  const row = (key: string, value: unknown) =>
    ({ kind: "put", store: "seen", row: { key, scope, v: VERSION, body: JSON.stringify(value) } }) as const;
  const changes = Array.from(chunks, ([place, entries]) => row(chunkKey(scope, place), entries));
  await (await openRows()).edit({ store: "seen", key: planKey(scope) }, () => ({
    changes: [...changes, row(planKey(scope), plan)],
    result: undefined,
  }));
}

const planKey = (scope: string) => `${scope}|plan`;
const chunkKey = (scope: string, place: number | "") => `${scope}|chunk|${place}`;

function parse(body: unknown): unknown {
  try {
    return typeof body === "string" ? JSON.parse(body) : undefined;
  } catch {
    return undefined;
  }
}
