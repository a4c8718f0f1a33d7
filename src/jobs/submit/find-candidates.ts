import type { Job } from "#api/types.ts";
import type { JsonRecord } from "#lib/json.ts";
import { isRecord } from "#lib/json.ts";

/** How a job's echoed payload relates to what was sent. `silent`: the service did not echo it. */
export type PayloadFit = "same" | "silent" | "unlike" | "foreign";

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

/** Compares a payload with the echo of it. Only another prompt proves that the job is somebody else's. */
export function payloadFit(sent: JsonRecord, echoed: JsonRecord | undefined): PayloadFit {
  if (!echoed || Object.keys(echoed).length === 0) return "silent";
  const promptKey = longestTextKey(sent);
  const prompt = promptKey === undefined ? undefined : echoed[promptKey];
  if (promptKey !== undefined && typeof prompt === "string" && prompt !== sent[promptKey]) return "foreign";
  return Object.keys(sent).every((key) => sameValue(sent[key], echoed[key])) ? "same" : "unlike";
}

export interface Candidates {
  /** Jobs that may be this intent's, the likeliest first. */
  ours: Job[];
  /** The first one echoes exactly what was sent. */
  certain: boolean;
  /** Other new jobs of the model came from elsewhere. */
  foreignSeen: boolean;
}

/**
 * New jobs of the model: listed now, not in the baseline, not claimed by another intent. Identity comes from this set
 * difference and never from times, which two clocks disagree about.
 */
export function findCandidates(
  listed: Job[],
  { baseline, claimed, payload }: { baseline: ReadonlySet<string>; claimed: ReadonlySet<string>; payload: JsonRecord },
): Candidates {
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
