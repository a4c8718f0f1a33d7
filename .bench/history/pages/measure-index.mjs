import { searchIndex } from "../../../src/history/job-index/search-index.ts";
import { CHUNK, createSeenJobs, saveSeen } from "../../../src/history/job-index/seen-jobs.ts";
import { whenIdle } from "../../../src/lib/when-idle.ts";
import { readIndex } from "../../../src/storage/seen-jobs.ts";

const QUERIES = [
  "lantern",
  "tram -snow status:success",
  '"over the harbour" model:model-3',
  "cost>0.05 type:image",
  "no such words at all",
  "is:expiring seed:4711",
];
const SCOPE = "bench";

/**
 * Writes an index, opens it again as History does, and searches it. Milliseconds; each search is the quickest of nine,
 * for others may share the processor. The first of all, after idle moments made the texts, stands for itself.
 * @param {import("../make-entries.mjs").JobRecord[]} entries
 * @param {number} nowMs
 */
export async function measureIndex(entries, nowMs) {
  const chunks = new Map();
  for (let at = 0; at < entries.length; at += CHUNK) chunks.set(at / CHUNK, entries.slice(at, at + CHUNK));
  const place = { gaps: [], offset: 0, isUntimed: false, newestSeconds: entries[0]?.createdAtSeconds ?? 0 };
  const written = await timed(() => saveSeen(SCOPE, chunks, place, entries.length));
  const opened = await timed(async () => {
    const seen = createSeenJobs();
    await readIndex(SCOPE, seen.load);
    seen.entries();
    return seen;
  });
  const seen = opened.result;
  const index = { entries: seen.entries(), texts: seen.texts };
  const texts = await timed(() => allTexts(seen));
  const options = { marks: new Map(), prices: new Map(), nowMs };
  const first = await timed(async () => searchIndex({ ...index, ...options, search: { q: "paper lantern" } }));
  const searches = [];
  for (const query of QUERIES) {
    /** @type {number[]} */
    const runs = [];
    let found = 0;
    for (let run = 0; run < 9; run++) {
      const { ms, result } = await timed(async () => searchIndex({ ...index, ...options, search: { q: query } }));
      runs.push(ms);
      found = result.length;
    }
    searches.push({ query, found, ms: Math.min(...runs) });
  }
  return {
    jobs: index.entries.length,
    writeMs: written.ms,
    openMs: opened.ms,
    textsMs: texts.ms,
    searches: [{ query: "the first of a session", found: first.result.length, ms: first.ms }, ...searches],
  };
}

/**
 * @param {import("../../../src/history/job-index/seen-jobs.ts").SeenJobs} seen
 * @returns {Promise<void>}
 */
function allTexts(seen) {
  return new Promise((resolve) => {
    whenIdle((isLate) => {
      const isDone = seen.makeTexts(isLate);
      if (isDone) resolve();
      return isDone;
    });
  });
}

/**
 * @template Result
 * @param {() => Promise<Result>} work
 */
async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}
