import { getPrompt } from "#runs/job-inputs.ts";
import type { JobRecord } from "#storage/job-records.ts";

/** The most jobs that are compared at once. */
export const MAX_COMPARED = 8;

/** Prompts whose lengths differ by more than this are taken as different, which spares normalizing most of them. */
const MAX_LENGTH_DIFFERENCE = 32;

/** Prompts that differ only in spaces and capitals are the same one. */
const normalized = (prompt: string) => prompt.trim().replace(/\s+/g, " ").toLowerCase();

/**
 * A job and the newest result of each other model from the same prompt, of the same kind of file: the given one first,
 * then as they stand in `knownJobs`, `MAX_COMPARED` at most. The job alone where there is none. Jobs whose files are
 * `deleted` are left out.
 */
export function otherModels(
  job: JobRecord,
  knownJobs: Iterable<JobRecord>,
  deleted: { has(requestId: string): boolean },
): JobRecord[] {
  const found = [job];
  const kind = job.media[0]?.kind;
  const ownPrompt = getPrompt(job);
  const prompt = normalized(ownPrompt);
  if (prompt === "" || kind === undefined) return found;
  const models = new Set([job.model]);
  for (const other of knownJobs) {
    if (found.length === MAX_COMPARED) break;
    if (other.model === undefined || models.has(other.model) || other.media[0]?.kind !== kind) continue;
    if (deleted.has(other.requestId)) continue;
    const words = getPrompt(other);
    if (Math.abs(words.length - ownPrompt.length) > MAX_LENGTH_DIFFERENCE || normalized(words) !== prompt) continue;
    models.add(other.model);
    found.push(other);
  }
  return found;
}
