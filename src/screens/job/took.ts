import { isFinal } from "#api/job-status.ts";
import type { Job } from "#api/types.ts";

/** How long a finished job took, in milliseconds, as far as its record tells. */
export function tookMs({ status, createdAtSeconds, updatedAtSeconds }: Job): number | undefined {
  if (!isFinal(status) || createdAtSeconds === undefined || updatedAtSeconds === undefined) return undefined;
  const took = (updatedAtSeconds - createdAtSeconds) * 1000;
  return took > 0 ? took : undefined;
}
