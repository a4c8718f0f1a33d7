import { promptOf } from "#jobs/job-prompt.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import type { JobRecord } from "#storage/job-records.ts";

/** As many jobs as are compared at once. */
export const MAX_COMPARED = 8;

/** Words of a prompt without what a person does not see. */
const normalized = (prompt: string) => prompt.trim().replace(/\s+/g, " ").toLowerCase();

/**
 * A job and the newest result of each other model from the same prompt, of the same kind of file: the given one first,
 * then as they stand in `pool`, eight at most. The job alone where there is none. Never throws.
 */
export function otherModels(job: JobRecord, pool: Iterable<JobRecord>): JobRecord[] {
  const found = [job];
  const kind = job.media[0]?.kind;
  const own = promptOf(job);
  const prompt = normalized(own);
  if (prompt === "" || kind === undefined) return found;
  const models = new Set([job.model]);
  for (const other of pool) {
    if (found.length === MAX_COMPARED) break;
    if (other.model === undefined || models.has(other.model) || other.media[0]?.kind !== kind) continue;
    if (isMediaDeleted(other.requestId)) continue;
    const words = promptOf(other);
    // Prompts that differ so much in length are taken as different: most are told apart before anything is normalized.
    if (Math.abs(words.length - own.length) > 32 || normalized(words) !== prompt) continue;
    models.add(other.model);
    found.push(other);
  }
  return found;
}
