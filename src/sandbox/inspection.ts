import type { MicroUsd } from "#lib/money.ts";
import { jobStatus } from "./jobs/sandbox-job.ts";
import type { LedgerEntry } from "./ledger.ts";
import type { SandboxContext } from "./sandbox-context.ts";

/** One request as the sandbox answered it; status 0 means that the reply was lost. */
export interface RequestLogEntry {
  /** Name of the route, or `unknown`. */
  route: string;
  method: string;
  path: string;
  status: number;
  user: string;
  /** The time of the sandbox, milliseconds. */
  atMs: number;
}

interface InspectedJob {
  requestId: string;
  user: string;
  organisation: string;
  model: string;
  status: string;
  priceMicroUsd: MicroUsd;
  createdAtMs: number;
  finishesAtMs: number;
  isMediaDeleted: boolean;
}

/** What really happened, for tests to compare with what the studio shows. */
export interface Inspection {
  nowMs: number;
  openingBalanceMicroUsd: MicroUsd;
  /** Balance by organisation, for those that the ledger names. */
  balances: Readonly<Record<string, MicroUsd>>;
  chargedMicroUsd: MicroUsd;
  refundedMicroUsd: MicroUsd;
  /** Every charge and refund, in the order of writing; refunds are posted up to now. */
  ledger: readonly LedgerEntry[];
  /** Jobs of this run, oldest first, without the seeded history. */
  jobs: readonly InspectedJob[];
  uploads: readonly { id: string; fileType: string; isStored: boolean; isDeleted: boolean }[];
  /** The latest 10,000 requests, oldest first. */
  requests: readonly RequestLogEntry[];
}

export function inspectSandbox(
  context: SandboxContext,
  opening: MicroUsd,
  requests: readonly RequestLogEntry[],
): Inspection {
  context.settle();
  const nowMs = context.clock.now();
  const ledger = [...context.ledger.entries()];
  const sum = (kind: LedgerEntry["kind"]) =>
    ledger.filter((entry) => entry.kind === kind).reduce((total, entry) => total + entry.amountMicroUsd, 0);
  const organisations = new Set(ledger.map((entry) => entry.organisation));
  return {
    nowMs,
    openingBalanceMicroUsd: opening,
    balances: Object.fromEntries([...organisations].map((name) => [name, context.ledger.balance(name)])),
    chargedMicroUsd: sum("charge"),
    refundedMicroUsd: sum("refund"),
    ledger,
    jobs: context.jobs.all().map((job) => ({
      requestId: job.requestId,
      user: job.user,
      organisation: job.organisation,
      model: job.model.id,
      status: jobStatus(job, nowMs),
      priceMicroUsd: job.priceMicroUsd,
      createdAtMs: job.createdAtMs,
      finishesAtMs: job.finishesAtMs,
      isMediaDeleted: job.mediaDeletedAtMs !== undefined,
    })),
    uploads: context.uploads.all().map(({ id, fileType, size, isDeleted }) => ({
      id,
      fileType,
      isStored: size !== undefined,
      isDeleted,
    })),
    requests: [...requests],
  };
}
