import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import type { JobRecord } from "#storage/job-records.ts";

/** The price of a job in words: "$0.04", or "≈ $0.04, estimated at today’s price"; undefined where it is unknown. */
export function priceText({
  priceMicroUsd,
  estimatedMicroUsd,
}: Pick<JobRecord, "priceMicroUsd" | "estimatedMicroUsd">): string | undefined {
  if (priceMicroUsd !== undefined) return formatMicroUsd(priceMicroUsd);
  if (estimatedMicroUsd === undefined) return undefined;
  return `≈ ${formatMicroUsd(estimatedMicroUsd)}, estimated at today’s price`;
}

/** The price of a job in a tile or a row: "$0.04", or "≈ $0.04" where it is estimated. Nothing where it is unknown. */
export function JobPrice({ job }: { job: Pick<JobRecord, "priceMicroUsd" | "estimatedMicroUsd"> }) {
  const { priceMicroUsd, estimatedMicroUsd } = job;
  if (priceMicroUsd !== undefined) return <>{formatMicroUsd(priceMicroUsd)}</>;
  if (estimatedMicroUsd === undefined) return null;
  return (
    <>
      <span aria-hidden title={priceText(job)}>{`≈ ${formatMicroUsd(estimatedMicroUsd)}`}</span>
      <span className="sr-only">{priceText(job)}</span>
    </>
  );
}

/** What some jobs cost: exact, estimated and unknown prices separately. */
interface PriceSums {
  exactMicroUsd: MicroUsd;
  estimatedMicroUsd: MicroUsd;
  /** Jobs with an exact price, with an estimated one, and without any. */
  exact: number;
  estimated: number;
  unknown: number;
}

/** Sums the prices of jobs in whole micro-USD. Failed jobs were refunded exactly (spec 3) and count nowhere. */
export function sumPrices(
  jobs: readonly Pick<JobRecord, "priceMicroUsd" | "estimatedMicroUsd" | "status">[],
): PriceSums {
  const sums: PriceSums = { exactMicroUsd: 0, estimatedMicroUsd: 0, exact: 0, estimated: 0, unknown: 0 };
  for (const { status, priceMicroUsd, estimatedMicroUsd } of jobs) {
    if (status === "failed") continue;
    if (priceMicroUsd !== undefined) {
      sums.exactMicroUsd += priceMicroUsd;
      sums.exact += 1;
    } else if (estimatedMicroUsd !== undefined) {
      sums.estimatedMicroUsd += estimatedMicroUsd;
      sums.estimated += 1;
    } else {
      sums.unknown += 1;
    }
  }
  return sums;
}

/**
 * A sum of prices in words: "$0.20", "≈ $0.24" where a part is estimated, and how many prices are unknown. Undefined
 * where nothing is known: an unknown price is never shown as $0.00.
 */
export function sumText({
  exactMicroUsd,
  estimatedMicroUsd,
  exact,
  estimated,
  unknown,
}: PriceSums): string | undefined {
  if (exact + estimated === 0) return undefined;
  const amount = `${estimated > 0 ? "≈ " : ""}${formatMicroUsd(exactMicroUsd + estimatedMicroUsd)}`;
  const notes = [
    estimated > 0 && `${formatNumber(estimated)} estimated`,
    unknown > 0 && `${counted(unknown, "price")} unknown`,
  ].filter(Boolean);
  return notes.length > 0 ? `${amount} (${notes.join(", ")})` : amount;
}
