import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useApi } from "#connection/client.ts";
import type { MicroUsd } from "#lib/money.ts";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { fetchPrice, useEstimate } from "#runs/prices/estimate-queries.ts";
import { payloadKey } from "#runs/request-key.ts";
import { isUnderWay, type Run, useShownRun, useSubmit } from "#runs/submit/submissions.ts";
import { openRunText } from "#runs/submit/submit-words.ts";
import { rememberPrompt } from "#schema-form/controls/prompt-memory.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { useFormPayload, useFormProblems, usePendingUploads } from "#schema-form/form/use-schema-form.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import { finishTyping } from "../form-focus.ts";

/** The running of a form: its price, the press of Run and the outcome. */
export type FormRun = ReturnType<typeof useRun>;

/**
 * Connects a form with `useSubmit`: the price of its payload, and the press of Run. A press before the price is known
 * waits for it (`useRunWhenPriced`). A press that cannot run moves the focus to the first field with a problem.
 */
export function useRun({
  form,
  schema,
  element,
  promptKey,
  showFields,
  onAccepted,
}: {
  form: FormHandle;
  schema: FormSchema;
  /** The element of the form: the field that has the focus takes over its text before a run. */
  element: RefObject<HTMLFormElement | null>;
  promptKey: string | undefined;
  /** Called before the focus goes to a field. */
  showFields: () => void;
  /** The service has accepted a run of this model. `isOwn`: it was pressed in this form. */
  onAccepted: (requestId: string, isOwn: boolean) => void;
}) {
  const { modelId } = form;
  const payload = useFormPayload(form);
  const problems = useFormProblems(form);
  const pendingUploads = usePendingUploads(form);
  const isValid = problems.length === 0;
  const estimate = useEstimate(isValid ? { model: modelId, payload } : undefined, schema);
  const { price } = estimate;
  const submit = useSubmit(modelId);
  const handledId = useRef<string>(undefined);
  // False for a job that was accepted on an earlier visit: its next seed was drawn then.
  const hasRun = useRef(false);

  const requestId = submit.state.phase === "accepted" ? submit.state.requestId : undefined;
  useEffect(() => {
    if (requestId === undefined || handledId.current === requestId) return;
    handledId.current = requestId;
    onAccepted(requestId, hasRun.current);
    if (hasRun.current) form.drawNextSeeds();
    hasRun.current = false;
  }, [requestId, onAccepted, form]);

  const send = (sentPayload: JsonRecord, priceMicroUsd: MicroUsd) => {
    hasRun.current = true;
    rememberPrompt(textAt(sentPayload, promptKey));
    void submit.submit({ model: modelId, payload: sentPayload }, priceMicroUsd);
  };
  // A file that is dropped while a run waits for its price counts as a change, because the form cannot run meanwhile.
  const canRun = isValid && pendingUploads === 0;
  const waitingRun = useRunWhenPriced({ modelId, payload: canRun ? payload : undefined, onPriced: send });
  const openRun = openRunText(submit.state);

  function press() {
    if (openRun !== undefined || submit.state.phase === "sending" || waitingRun.isWaiting) return;
    waitingRun.forget();
    finishTyping(element.current);
    // `payload` may be older, because what was typed just now may not have rendered yet.
    const pressed = form.getPayload();
    if (form.getProblems().length > 0 || price.state === "failed") {
      showFields();
      void form.focusFirstProblem();
      if (price.state === "failed" && !form.getRefused()) estimate.retry();
    } else if (pendingUploads === 0) {
      if (pressed === payload && price.state === "priced") send(pressed, price.priceMicroUsd);
      else void waitingRun.waitForPrice(pressed);
    }
  }
  // A question about a price belongs to its payload. To confirm it for another payload would be no consent.
  const isQuestionOpen = submit.state.phase === "not-sent" && submit.state.priceMicroUsd !== undefined;
  const isOtherRun = isQuestionOpen && submit.run !== undefined && !sameJson(submit.run.request.payload, payload);
  const { dismiss } = submit;
  const dropQuestion = useEffectEvent(dismiss);
  useEffect(() => {
    if (isOtherRun) dropQuestion();
  }, [isOtherRun]);

  /** `openRun`: why no other run may be submitted before the last one is settled, as a sentence. */
  return { payload, problems, pendingUploads, canRun, estimate, submit, waitingRun, openRun, press };
}

function textAt(payload: JsonRecord, key: string | undefined): string {
  const words = key !== undefined && Object.hasOwn(payload, key) ? payload[key] : undefined;
  return typeof words === "string" ? words : "";
}

/**
 * A press of Run right after a change: it waits for the price of the payload as it was at the press, and is submitted
 * then, once. Any change of the payload cancels it, as Escape does, and so does a price that does not come.
 */
export function useRunWhenPriced({
  modelId,
  payload,
  onPriced,
}: {
  modelId: string;
  /** The payload as it is now; undefined while it cannot be run. */
  payload: JsonRecord | undefined;
  /** Called once, when the price of the waiting payload is known. */
  onPriced: (payload: JsonRecord, priceMicroUsd: MicroUsd) => void;
}) {
  const api = useApi();
  const client = useQueryClient();
  const [waitingKey, setWaitingKey] = useState<string>();
  const [note, setNote] = useState<string>();
  // The press that waits. A canceled one is not submitted when its price comes later.
  const press = useRef<object>(undefined);

  const end = (why?: string) => {
    press.current = undefined;
    setWaitingKey(undefined);
    setNote(why);
  };
  const cancel = () => end("The waiting run was cancelled. Nothing was submitted.");

  async function waitForPrice(pressed: JsonRecord) {
    const thisPress = {};
    press.current = thisPress;
    setNote(undefined);
    setWaitingKey(payloadKey(pressed));
    const request = { model: modelId, payload: pressed };
    const priceMicroUsd = await fetchPrice({ api, client }, request).catch(() => undefined);
    if (press.current !== thisPress) return;
    end(
      priceMicroUsd === undefined
        ? "There is no price, so the waiting run was cancelled. Nothing was submitted."
        : undefined,
    );
    if (priceMicroUsd !== undefined) onPriced(pressed, priceMicroUsd);
  }

  const isWaiting = waitingKey !== undefined;
  const isChanged = isWaiting && (payload === undefined || payloadKey(payload) !== waitingKey);
  const onChanged = useEffectEvent(() => {
    end("You changed the form, so the waiting run was cancelled. Nothing was submitted.");
  });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("[aria-modal=true]")) return;
    event.preventDefault();
    cancel();
  });
  useEffect(() => {
    if (isChanged) onChanged();
  }, [isChanged]);
  useEffect(() => {
    if (!isWaiting) return;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isWaiting]);
  useEffect(
    () => () => {
      press.current = undefined;
    },
    [],
  );
  return {
    /** Whether a press waits for its price. */
    isWaiting,
    /** Why the last press that waited was not submitted, as a sentence. */
    note: isWaiting ? undefined : note,
    /** Lets a press of Run for a payload wait until its price is known. */
    waitForPrice,
    cancel,
    /** Removes the note. */
    forget: () => setNote(undefined),
  };
}

/**
 * The run of a model that is shown in place of a result: from the press of Run until its job is in view, or until the
 * person opens another job (`lookAway`). An unconfirmed run of an earlier visit is shown while the address names no
 * job.
 */
export function usePendingRun(
  modelId: string | undefined,
  requestId: string | undefined,
): [pending: Run | undefined, lookAway: () => void] {
  const run = useShownRun(modelId);
  const [startedId, setBegunId] = useState<number>();
  const [leftId, setLeftId] = useState<number>();
  if (run === undefined) return [undefined, () => {}];
  const { id, state } = run;
  if (isUnderWay(run) && id !== startedId) setBegunId(id);
  // The job is in view. From now on the address alone decides what is shown.
  if (startedId !== undefined && state.phase === "accepted" && state.requestId === requestId) setBegunId(undefined);
  const isMine = id === startedId || requestId === undefined;
  const isShown =
    isUnderWay(run) ||
    (isMine && state.phase === "unconfirmed") ||
    // The address does not name the job yet.
    (id === startedId && state.phase === "accepted" && state.requestId !== requestId);
  return [isShown && id !== leftId ? run : undefined, () => setLeftId(id)];
}
