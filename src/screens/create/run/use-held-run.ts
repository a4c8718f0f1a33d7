import { useEffect, useEffectEvent, useState } from "react";
import { payloadKey } from "#jobs/price/estimate-queries.ts";
import type { EstimateState } from "#jobs/price/use-estimate.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";

/** One press of Run whose price is not known yet. It stands for the payload as it was at the press, and for no other. */
interface HeldPress {
  key: string;
}

export interface HeldRun {
  /** A press waits for its price. */
  isHeld: boolean;
  /** Why the last press that waited was not submitted, as a sentence. */
  note: string | undefined;
  /** Holds a press of Run for this payload until its price is known. */
  hold: (payload: JsonRecord) => void;
  cancel: () => void;
  /** The person has read the note, or pressed Run again. */
  forget: () => void;
}

/**
 * A press of Run right after a change: it waits for the price of the payload as it was at the press, and is submitted then,
 * once. Any change of the payload cancels it, as Escape does, and so does a price that cannot be told.
 */
export function useHeldRun({
  payload,
  estimate,
  onPriced,
}: {
  /** As it is now; undefined while it cannot be run. */
  payload: JsonRecord | undefined;
  estimate: EstimateState;
  /** Called once, when the price of the held payload is known. */
  onPriced: (payload: JsonRecord, priceMicroUsd: MicroUsd) => void;
}): HeldRun {
  const [press, setPress] = useState<HeldPress>();
  const [note, setNote] = useState<string>();
  const isSame = press !== undefined && payload !== undefined && payloadKey(payload) === press.key;
  const price = estimate.isStale ? undefined : estimate.priceMicroUsd;
  if (press !== undefined && !isSame) {
    setPress(undefined);
    setNote("You changed the form, so the waiting run was cancelled. Nothing was submitted.");
  } else if (press !== undefined && estimate.error !== null) {
    setPress(undefined);
  }

  const take = useEffectEvent((held: HeldPress) => {
    if (!isSame || payload === undefined || price === undefined || estimate.error !== null) return;
    setPress((now) => (now === held ? undefined : now));
    if (taken.has(held)) return;
    taken.add(held);
    onPriced(payload, price);
  });
  useEffect(() => {
    if (press !== undefined && isSame && price !== undefined) take(press);
  }, [press, isSame, price]);

  const isHeld = press !== undefined;
  const cancel = () => {
    setPress(undefined);
    setNote("The waiting run was cancelled. Nothing was submitted.");
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("[aria-modal=true]")) return;
    event.preventDefault();
    cancel();
  });
  useEffect(() => {
    if (!isHeld) return;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isHeld]);

  return {
    isHeld,
    note: isHeld ? undefined : note,
    hold: (of) => {
      setNote(undefined);
      setPress({ key: payloadKey(of) });
    },
    cancel,
    forget: () => setNote(undefined),
  };
}

/** Presses that were submitted: an effect that runs twice must not submit twice. */
const taken = new WeakSet<HeldPress>();
