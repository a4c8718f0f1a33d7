import type { StoreName } from "#storage/keys.ts";
import type { Batch } from "../stored-batches.ts";
import { isJobRunning } from "../track-job.ts";
import { intentsOf, type RunMemory } from "./run-memory.ts";
import { AGAIN_MS, type BatchRun, type BatchWorld } from "./run-world.ts";

/** Jobs of attempts that were given up may still be found. */
const LOOK_AGAIN_MS = 30_000;
/** Many jobs change at once: one look is enough for all of them. */
const JOBS_REST_MS = 200;

/** Keeps what is known of a batch up to date: each look reads what changed, or is open, and never all runs. */
export interface RunReader {
  /** Rejects where the database cannot be read. */
  refresh(): Promise<void>;
  noteBatchChanged(): void;
  /** Whether a result of the batch got a star since the batch was started. */
  hasNewStar(): boolean;
  close(): void;
}

/** Listens until it is closed. Never throws. */
export function createReader(
  { onChange, nowMs, sleep }: BatchWorld,
  { wake }: Pick<BatchRun, "wake">,
  memory: RunMemory,
): RunReader {
  const changed = new Set<StoreName>();
  let isResting = false;
  const ringSoon = () => {
    if (isResting) return;
    isResting = true;
    void sleep(JOBS_REST_MS).then(() => {
      isResting = false;
      wake.ring();
    });
  };
  const listen = (store: StoreName, ring: () => void) =>
    onChange(store, () => {
      changed.add(store);
      ring();
    });
  const stops = [listen("batches", wake.ring), listen("jobs", ringSoon), listen("marks", ringSoon)];
  let lookedAtMs = nowMs();
  let lookedAgainAtMs = nowMs();
  let starsBefore: ReadonlySet<string> | undefined;
  let stars: ReadonlySet<string> = new Set();

  const isRunning = (requestId: string) => {
    const job = memory.job(requestId);
    return job === undefined || isJobRunning(job);
  };

  async function readOpen(batch: Batch): Promise<void> {
    const isLook = nowMs() - lookedAtMs >= AGAIN_MS;
    const isLookAgain = nowMs() - lookedAgainAtMs >= LOOK_AGAIN_MS;
    if (isLook) lookedAtMs = nowMs();
    if (isLookAgain) lookedAgainAtMs = nowMs();
    const areJobsDue = changed.delete("jobs") || isLook;
    const rows: string[] = [];
    const jobs: string[] = [];
    for (const intentId of batch.items.flatMap(intentsOf)) {
      const row = memory.row(intentId);
      const isOpen = row?.state === "sending" || row?.state === "retrying" || row?.state === "unconfirmed";
      if ((isOpen && isLook) || (row?.state === "absent" && isLookAgain)) rows.push(intentId);
      if (row?.state === "accepted" && areJobsDue) jobs.push(...row.requestIds.filter(isRunning));
    }
    await Promise.all(rows.map(memory.readIntent));
    await memory.readJobs(jobs);
  }

  async function readStars(batch: Batch): Promise<void> {
    if (!batch.rules.stopAtStar || !(changed.delete("marks") || starsBefore === undefined)) return;
    stars = await memory.readStars();
    // What had a star when the person pressed Resume does not stop the batch again.
    starsBefore ??= stars;
  }

  return {
    async refresh() {
      if (changed.delete("batches")) await memory.readBatch();
      const batch = memory.batch();
      if (!batch) return;
      await readOpen(batch);
      await readStars(batch);
    },
    noteBatchChanged: () => void changed.add("batches"),
    hasNewStar() {
      const before = starsBefore;
      if (before === undefined || stars === before) return false;
      const ids = (memory.batch()?.items ?? []).flatMap(intentsOf).flatMap((id) => memory.row(id)?.requestIds ?? []);
      return ids.some((id) => stars.has(id) && !before.has(id));
    },
    close() {
      for (const end of stops) end();
    },
  };
}
