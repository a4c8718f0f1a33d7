/** What would be disturbed if the page went away now. `busy`: something is under way. `asks`: the person is asked first. */
interface LeaveGuard {
  busy: boolean;
  asks: boolean;
}

let current: LeaveGuard = { busy: false, asks: false };

/** Whether the page must not be reloaded by itself now. */
export function isBusy(): boolean {
  return current.busy;
}

/**
 * Sets why the page should not be left. The browser asks only while `asks` holds, and never at any other time: a
 * listener keeps pages out of the back-forward cache.
 */
export function setLeaveGuard(next: LeaveGuard): void {
  if (next.asks && !current.asks) window.addEventListener("beforeunload", preventLeaving);
  if (!next.asks && current.asks) window.removeEventListener("beforeunload", preventLeaving);
  current = next;
}

function preventLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
