import { allIntents, readIntent } from "./outbox.ts";
import { markUnconfirmed, settleRejected } from "./settle.ts";
import { stateOfRow } from "./state-of-row.ts";
import { type SubmitEffects, submitLockName } from "./submit-effects.ts";

/** What a page that died left behind, under the lock that it held while it lived. */
async function takeOver(fx: SubmitEffects, intentId: string): Promise<void> {
  const row = await readIntent(fx, intentId);
  if (!row) return;
  if (row.state === "sending") await markUnconfirmed(fx, row.intentId, false);
  // Refused for certain, and the page that would have tried again is gone. A reload sends nothing.
  if (row.state === "retrying") {
    await settleRejected(fx, row.intentId, row.refusal ?? { status: 0, message: "" }, "retrying");
  }
}

/**
 * Finds intents that no living page is sending, and tells which of them need looking for. Sends nothing (invariant: no
 * POST on boot, focus, reconnect, reload or a timer).
 */
export async function resumeIntents(fx: SubmitEffects): Promise<string[]> {
  const open: string[] = [];
  for (const row of await allIntents(fx)) {
    if (row.state === "sending" || row.state === "retrying") {
      await fx.locks.tryHold(submitLockName(fx.accountId, row.request.model), () => takeOver(fx, row.intentId));
    }
    const now = await readIntent(fx, row.intentId);
    if (!now) continue;
    if (now.state === "unconfirmed" || now.state === "absent") open.push(now.intentId);
    if (now.state === "unconfirmed" || (now.state === "absent" && !now.dismissed))
      fx.show(now.request.model, stateOfRow(now));
  }
  return open;
}
