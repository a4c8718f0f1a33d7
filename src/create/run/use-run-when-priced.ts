import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useApi } from "#connection/client.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import { fetchPrice } from "#runs/prices/estimate-queries.ts";
import { payloadKey } from "#runs/request-key.ts";

export interface WaitingRun {
  /** A press waits for its price. */
  isWaiting: boolean;
  /** Why the last press that waited was not submitted, as a sentence. */
  note: string | undefined;
  /** Has a press of Run for this payload wait until its price is known. */
  hold: (payload: JsonRecord) => Promise<void>;
  cancel: () => void;
  /** The person has read the note, or pressed Run again. */
  forget: () => void;
}

/**
 * A press of Run right after a change: it waits for the price of the payload as it was at the press, and is submitted then,
 * once. Any change of the payload cancels it, as Escape does, and so does a price that does not come.
 */
export function useRunWhenPriced({
  modelId,
  payload,
  onPriced,
}: {
  modelId: string;
  /** As it is now; undefined while it cannot be run. */
  payload: JsonRecord | undefined;
  /** Called once, when the price of the waiting payload is known. */
  onPriced: (payload: JsonRecord, priceMicroUsd: MicroUsd) => void;
}): WaitingRun {
  const api = useApi();
  const client = useQueryClient();
  const [waitingKey, setWaitingKey] = useState<string>();
  const [note, setNote] = useState<string>();
  // The press that counts: one that was cancelled is not submitted by a price that comes later.
  const press = useRef<object>(undefined);

  const end = (why?: string) => {
    press.current = undefined;
    setWaitingKey(undefined);
    setNote(why);
  };
  const cancel = () => end("The waiting run was cancelled. Nothing was submitted.");

  async function hold(pressed: JsonRecord) {
    const own = {};
    press.current = own;
    setNote(undefined);
    setWaitingKey(payloadKey(pressed));
    const request = { model: modelId, payload: pressed };
    const priceMicroUsd = await fetchPrice({ api, client }, request).catch(() => undefined);
    if (press.current !== own) return;
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
  return { isWaiting, note: isWaiting ? undefined : note, hold, cancel, forget: () => setNote(undefined) };
}
