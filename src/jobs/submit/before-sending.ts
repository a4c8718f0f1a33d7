// What is asked between the click and the model's lock: the exact price, and every limit.
import type { JobRequest } from "#api/types.ts";
import { readProjectCap } from "#ledger/project-cap.ts";
import {
  asksFirst,
  brokenCap,
  limitsKey,
  type ProjectCap,
  readLimits,
  readReservations,
  reservationsKey,
} from "#ledger/spend-limits.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import type { SubmitEffects } from "./effects.ts";
import type { NotSentReason, SubmitState } from "./submit-state.ts";

/** What a person agreed to. */
interface Agreed {
  request: JobRequest;
  agreedMicroUsd: MicroUsd;
  isConfirmed?: boolean;
}

export type NotSent = Extract<SubmitState, { phase: "not-sent" }>;

/** The state of a run that was not submitted. */
export function notSent(reason: NotSentReason, more: Partial<NotSent> = {}): NotSent {
  return { phase: "not-sent", reason, ...more };
}

/**
 * The limit of a run's project; undefined where there is none. Rejects where the database cannot be read: then nothing can be
 * said about the limit.
 */
export async function loadProjectCap(
  { rows, accountId }: SubmitEffects,
  projectId: string | undefined,
): Promise<ProjectCap | undefined> {
  if (projectId === undefined) return undefined;
  return readProjectCap(rows, accountId, projectId);
}

/** The price must be known, exact, and not above what was agreed: a higher price asks again, a lower one does not. */
export async function agreePrice(fx: SubmitEffects, order: Agreed): Promise<MicroUsd | NotSent> {
  try {
    const price = await fx.api.price(order.request);
    if (!isMicroUsd(price)) return notSent("price-unknown");
    return price > order.agreedMicroUsd ? notSent("price-rose", { priceMicroUsd: price }) : price;
  } catch (error) {
    return notSent("price-unknown", { error });
  }
}

/**
 * What stands against a price before the person is asked: a limit that it would break, which no consent lifts, or their
 * own mark above which they want to be asked. Limits that cannot be read ask too.
 */
export async function checkLimits(
  fx: SubmitEffects,
  order: Agreed,
  priceMicroUsd: MicroUsd,
  projectCap: ProjectCap | undefined,
): Promise<NotSent | undefined> {
  const asks = notSent("needs-confirmation", { priceMicroUsd });
  try {
    const [held, stored] = await Promise.all([
      fx.rows.get("settings", reservationsKey(fx.accountId)),
      fx.rows.get("settings", limitsKey(fx.accountId)),
    ]);
    const limits = readLimits(stored);
    const broken = brokenCap(limits, readReservations(held), priceMicroUsd, fx.nowMs(), projectCap);
    if (broken) return notSent("over-cap", broken);
    return !order.isConfirmed && asksFirst(limits, priceMicroUsd) ? asks : undefined;
  } catch {
    return order.isConfirmed ? undefined : asks;
  }
}
