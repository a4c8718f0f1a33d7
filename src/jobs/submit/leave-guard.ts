import type { DeskStates } from "./submissions.ts";

let isGuarding = false;
let isOnTheWay = false;

/** Whether a submit is between its click and its answer: no time to reload the page for anything else. */
export function isSubmitting(): boolean {
  return isOnTheWay;
}

function guard(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/**
 * Asks before the page is left while a submit has no answer yet. Nothing would be lost, because its row is written, but
 * the answer would have to be looked for. Never at any other time: a guard keeps pages out of the back-forward cache.
 */
export function guardLeaving(states: DeskStates): void {
  isOnTheWay = Object.values(states).some(({ phase }) => phase === "sending" || phase === "retrying");
  const isOpen = Object.values(states).some((state) => state.phase === "sending" && state.step === "sent");
  if (isOpen === isGuarding) return;
  isGuarding = isOpen;
  if (isOpen) window.addEventListener("beforeunload", guard);
  else window.removeEventListener("beforeunload", guard);
}
