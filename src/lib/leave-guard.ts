/** What would be disturbed if the page went away now. `busy`: something is under way. `asks`: the person is asked first. */
interface LeaveGuard {
  busy: boolean;
  asks: boolean;
}

/** The parts of Safelight that set a guard, each its own. */
type LeaveGuardOwner = "submits" | "uploads";

// No store: who goes asks at that moment, and nothing is drawn from it.
const guards = new Map<LeaveGuardOwner, LeaveGuard>();

/** Whether the page must not be reloaded by itself now. */
export function isBusy(): boolean {
  return [...guards.values()].some(({ busy }) => busy);
}

/**
 * Sets one owner's guard. The page listens to `beforeunload` only while a guard `asks`, because such a listener takes
 * it out of the back-forward cache.
 */
export function setLeaveGuard(owner: LeaveGuardOwner, next: LeaveGuard): void {
  const askedBefore = asks();
  guards.set(owner, next);
  if (asks() && !askedBefore) window.addEventListener("beforeunload", preventLeaving);
  if (!asks() && askedBefore) window.removeEventListener("beforeunload", preventLeaving);
}

const asks = () => [...guards.values()].some((guard) => guard.asks);

function preventLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
