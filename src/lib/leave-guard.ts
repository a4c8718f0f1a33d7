/** What would be disturbed if the page went away now. `busy`: something is under way. `asks`: the person is asked first. */
interface LeaveGuard {
  busy: boolean;
  asks: boolean;
}

/** Who may be disturbed: each says it for itself. */
type LeaveGuardOwner = "submits" | "uploads";

// No store: who goes asks at that moment, and nothing is drawn from it.
const guards = new Map<LeaveGuardOwner, LeaveGuard>();

/** Whether the page must not be reloaded by itself now. */
export function isBusy(): boolean {
  return [...guards.values()].some(({ busy }) => busy);
}

/**
 * Sets why the page should not be left, for one owner. The browser asks only while one of them `asks`, and never at any
 * other time: a listener keeps pages out of the back-forward cache.
 */
export function setLeaveGuard(owner: LeaveGuardOwner, next: LeaveGuard): void {
  const asked = asks();
  guards.set(owner, next);
  if (asks() && !asked) window.addEventListener("beforeunload", preventLeaving);
  if (!asks() && asked) window.removeEventListener("beforeunload", preventLeaving);
}

const asks = () => [...guards.values()].some((guard) => guard.asks);

function preventLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
