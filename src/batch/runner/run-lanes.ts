import { RefusedError } from "#api/api-error.ts";
import { STOPS_ALL } from "#runs/rules/answers.ts";
import type { IntentState, NotSentReason, SubmitState } from "#runs/rules/intent.ts";
import { type Batch, type BatchItem, isAgreed } from "#storage/stored-batches.ts";
import { restoreSent } from "./batch-edits.ts";
import { AGAIN_MS, type BatchEffects, type BatchRun, type PauseReason, type Stored } from "./batch-effects.ts";
import { fitsLimit, hasRoom, type Lane, type Standing } from "./stop-rules.ts";

/** Where the job list or a price cannot be loaded, nothing was sent, and the lane tries again after so long. Then it pauses. */
const TRY_AGAIN_MS = [1_500, 5_000, 15_000];
const RETRY_SOON: readonly NotSentReason[] = ["price-unknown", "list-unread"];
/** The model is busy with another attempt: this one waits its turn. */
const MODEL_BUSY: readonly NotSentReason[] = ["other-tab", "unsettled"];

/**
 * Whether a run ended in a way in which every other run would end as well: by its status, also on a page that proves no
 * refusal, and by whatever the studio's own host refuses.
 */
function stopsAll(end: SubmitState): end is Extract<SubmitState, { phase: "rejected" | "unconfirmed" }> {
  if (end.phase === "unconfirmed") return end.refusal !== undefined && STOPS_ALL.has(end.refusal.status);
  if (end.phase !== "rejected") return false;
  const { refusal, error } = end;
  return STOPS_ALL.has(refusal.status) || (error instanceof RefusedError && error.hostReason !== undefined);
}

/** The runs that are sent, one after the other for each model, and several models at once. Sends only when `sendNext` is called. */
export function createLanes(effects: BatchEffects, run: BatchRun) {
  const { nowMs } = effects;
  const { sending, alarm } = run;
  const notBeforeMs = new Map<string, number>();
  const tries = new Map<string, number>();
  const ends = new Set<Promise<void>>();
  const sentHere = new Map<string, BatchItem>();
  let checked: Batch | undefined;
  let reason: PauseReason | undefined;

  /** What the end of one run means for its lane, or for all. */
  function judge(model: string, end: SubmitState, state: IntentState | undefined): void {
    if (stopsAll(end)) reason ??= end;
    if (end.phase !== "not-sent") return void tries.delete(model);
    const tried = tries.get(model) ?? 0;
    const isMet = end.reason === "already-sent";
    const isRetried = RETRY_SOON.includes(end.reason) || (isMet && state === "not-sent");
    const againMs = isRetried ? TRY_AGAIN_MS[tried] : undefined;
    if (againMs !== undefined) {
      tries.set(model, tried + 1);
      notBeforeMs.set(model, nowMs() + againMs);
    } else if (MODEL_BUSY.includes(end.reason)) notBeforeMs.set(model, nowMs() + AGAIN_MS);
    // Another page has sent it, and its row says how it ended.
    else if (!isMet || state === undefined || state === "not-sent") reason ??= end;
  }

  async function send(item: BatchItem & { priceMicroUsd: number }, projectId: string | undefined): Promise<void> {
    const { intentId, request, priceMicroUsd } = item;
    try {
      // The person saw the total and agreed to it. A price that has risen since still pauses the batch.
      const end = await effects.send({
        intentId,
        request,
        agreedMicroUsd: priceMicroUsd,
        isConfirmed: true,
        projectId,
      });
      // The outbox has a row of it, which another tab may not have announced yet.
      const isMet = end.phase === "not-sent" && end.reason === "already-sent";
      const { sent } = await (isMet ? effects.readAnew(run.id, [intentId]) : effects.read(run.id));
      judge(request.model, end, sent.intent(intentId)?.state);
    } catch {
      reason ??= { phase: "storage-failed" };
    } finally {
      sending.delete(intentId);
      checked = undefined;
      alarm.ring();
    }
  }

  function launch({ next }: Lane, { projectId }: Batch): void {
    if (!next) return;
    sending.set(next.item.intentId, next.item);
    sentHere.set(next.item.id, next.item);
    const end = send(next.item, projectId);
    ends.add(end);
    void end.then(() => ends.delete(end));
  }

  return {
    /** Sends the next run of every lane that has room for it, decided at once for all. Returns whether nothing is left. */
    sendNext(batch: Batch, now: Standing): boolean {
      const { rules } = batch;
      const waiting = now.lanes.filter(({ next }) => next !== undefined);
      let { sendingMicroUsd } = now;
      let fitsAny = false;
      let isAnyReady = false;
      for (const lane of waiting) {
        const price = lane.next?.item.priceMicroUsd ?? 0;
        const fits = fitsLimit(price, { ...now, sendingMicroUsd }, rules);
        const isReady = (notBeforeMs.get(lane.model) ?? 0) <= nowMs() && hasRoom(lane, rules);
        fitsAny ||= fits !== "no";
        isAnyReady ||= isReady;
        if (fits !== "yes" || !isReady) continue;
        sendingMicroUsd += price;
        launch(lane, batch);
      }
      // A lane without room waits for a job, whose refund may make room below the limit, too.
      if (isAnyReady && !fitsAny && rules.stopAtMicroUsd !== undefined)
        reason ??= { phase: "rule", rule: "limit", limitMicroUsd: rules.stopAtMicroUsd };
      return waiting.length === 0 && sending.size === 0 && !now.mayBeRetried;
    },
    /** Why nothing more is sent; undefined while nothing stands against it. */
    reason: () => reason,
    /**
     * Puts runs back that another tab removed while they were sent. Resolves to whether there were any. Rejects where the database
     * cannot be written.
     */
    async restoreLost({ batch, sent }: Stored): Promise<boolean> {
      if (!batch || batch === checked) return false;
      checked = batch;
      const items = new Map(batch.items.map((item) => [item.id, item]));
      const lost = [...sentHere.values()].filter((item) => {
        const now = items.get(item.id);
        const intent = sent.intent(item.intentId);
        return (!now || !isAgreed(now)) && intent !== undefined && intent.state !== "not-sent";
      });
      for (const item of lost) await restoreSent(effects, run.id, item);
      return lost.length > 0;
    },
    /** Resolves once nothing is on its way any more. */
    async ended(): Promise<void> {
      await Promise.all(ends);
      alarm.ring();
    },
  };
}
