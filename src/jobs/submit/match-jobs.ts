// Which jobs of the list can be the job of an intent.
import type { Job } from "#api/types.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { trackedRows } from "#storage/tracked-jobs.ts";
import { readAll } from "#storage/typed-rows.ts";
import type { SubmitEffects } from "./effects.ts";

const PAGE = 1000;
const MOST_PAGES = 10;
/** The service's clock cannot be read and ours may be a day off, so the window reaches back two days. */
const WINDOW_SECONDS = 2 * 24 * 3600;

/**
 * What the list shows before anything is sent. Without it the job of a lost answer could not be recognized, so nothing is sent:
 * rejects when the list or the store cannot be read.
 */
export async function readBaseline(fx: SubmitEffects, model: string) {
  const listedAfterSeconds = Math.max(0, Math.floor(fx.nowMs() / 1000) - WINDOW_SECONDS);
  const listed = await listModelJobs(fx, model, listedAfterSeconds);
  const claimed = await claimedJobs(fx);
  const baseline = listed.map(({ requestId }) => requestId);
  return { baseline, listedAfterSeconds, shared: baseline.some((id) => !claimed.has(id)) };
}

/**
 * Every job of a model since a moment, each once (spec 4.1: limit at most 1000). Rejects with an `ApiError` when a page
 * cannot be read.
 */
export async function listModelJobs(
  { api }: Pick<SubmitEffects, "api">,
  model: string,
  createdAfterSeconds: number,
): Promise<Job[]> {
  const jobs = new Map<string, Job>();
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { jobs: found } = await api.listJobs({
      model_id: model,
      created_after: createdAfterSeconds,
      limit: PAGE,
      offset: page * PAGE,
    });
    for (const job of found) jobs.set(job.requestId, job);
    if (found.length < PAGE) break;
  }
  return [...jobs.values()];
}

/**
 * Ids that belong to an intent. Jobs that were imported, or reported as duplicates, belong to none yet: they may turn out
 * to be the one that an open attempt waits for. Rejects when the store cannot be read.
 */
export async function claimedJobs({
  rows,
  accountId,
}: Pick<SubmitEffects, "rows" | "accountId">): Promise<Set<string>> {
  const tracked = await readAll(rows, trackedRows, accountId);
  const belongs = tracked.filter(({ origin }) => origin !== "imported" && origin !== "duplicate");
  return new Set(belongs.map(({ requestId }) => requestId));
}

/** How a job's echoed payload relates to what was sent. `silent`: the service did not echo it. */
type PayloadFit = "same" | "silent" | "unlike" | "foreign";

function sameValue(sent: unknown, echoed: unknown): boolean {
  if (Object.is(sent, echoed)) return true;
  if (Array.isArray(sent) && Array.isArray(echoed)) {
    return sent.length === echoed.length && sent.every((item, index) => sameValue(item, echoed[index]));
  }
  if (isRecord(sent) && isRecord(echoed)) return Object.keys(sent).every((key) => sameValue(sent[key], echoed[key]));
  // Servers turn "5" into 5 and back.
  return typeof sent !== "object" && typeof echoed !== "object" && String(sent) === String(echoed);
}

/** The key of the longest text that was sent: the prompt, under whatever name. */
function longestTextKey(payload: JsonRecord): string | undefined {
  const texts = Object.entries(payload).filter(([, value]) => typeof value === "string") as [string, string][];
  return texts.sort((a, b) => b[1].length - a[1].length)[0]?.[0];
}

/** Compares a payload with the echo of it. Only another prompt proves that the job is somebody else's. Never throws. */
export function payloadFit(sent: JsonRecord, echoed: JsonRecord | undefined): PayloadFit {
  if (!echoed || Object.keys(echoed).length === 0) return "silent";
  const promptKey = longestTextKey(sent);
  const prompt = promptKey === undefined ? undefined : echoed[promptKey];
  if (promptKey !== undefined && typeof prompt === "string" && prompt !== sent[promptKey]) return "foreign";
  return Object.keys(sent).every((key) => sameValue(sent[key], echoed[key])) ? "same" : "unlike";
}

interface Matches {
  /** Jobs that may be this intent's, the likeliest first. */
  ours: Job[];
  /** The first one echoes exactly what was sent. */
  certain: boolean;
  /** Other new jobs of the model came from elsewhere. */
  foreignSeen: boolean;
}

/**
 * New jobs of the model: listed now, not in the baseline, not claimed by another intent. Identity comes from this set
 * difference and never from times, which two clocks disagree about. Never throws.
 */
export function matchJobs(
  listed: Job[],
  { baseline, claimed, payload }: { baseline: ReadonlySet<string>; claimed: ReadonlySet<string>; payload: JsonRecord },
): Matches {
  const fresh = listed.filter((job) => !baseline.has(job.requestId) && !claimed.has(job.requestId));
  const fits = fresh.map((job) => ({ job, fit: payloadFit(payload, job.payload) }));
  const same = fits.filter(({ fit }) => fit === "same");
  const ours = same.length > 0 ? same : fits.filter(({ fit }) => fit !== "foreign");
  return {
    ours: ours.map(({ job }) => job),
    certain: same.length > 0,
    foreignSeen: fits.length > ours.length,
  };
}
