import { useQuery } from "@tanstack/react-query";
import type { Job, JobRequest } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { estimateQueries } from "#jobs/estimate-queries.ts";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { formatMicroUsd } from "#lib/money.ts";

interface JobPriceProps {
  job: Job;
  tracked: TrackedJob | undefined;
}

/**
 * What the job cost, and how that is known. The record tells no price (spec 2): a job submitted here has the exact one;
 * for another the same payload is estimated anew, which costs nothing and equals the charge unless prices changed.
 */
export function JobPrice({ job, tracked }: JobPriceProps) {
  const known = tracked?.priceMicroUsd;
  const request = known === undefined ? asRequest(job) : undefined;
  const estimate = useQuery({
    ...estimateQueries(useApi()).price(request ?? { model: "", payload: {} }),
    enabled: request !== undefined,
  });
  if (known !== undefined) {
    if (job.status === "failed") return `${formatMicroUsd(known)}, refunded`;
    return `${formatMicroUsd(known)} charged`;
  }
  if (request && estimate.data) return `${formatMicroUsd(estimate.data.priceMicroUsd)} at today's price`;
  return request && estimate.isPending ? "…" : "not known here";
}

// The service echoes what was left out as null; a submit leaves it out (spec 2: defaults apply).
function asRequest(job: Job): JobRequest | undefined {
  if (!job.model || !job.payload) return undefined;
  const given = Object.entries(job.payload).filter(([, value]) => value !== null);
  return { model: job.model, payload: Object.fromEntries(given) };
}
