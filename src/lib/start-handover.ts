/** What is used of the Trusted Types policy for Safelight's own workers. */
export interface WorkerPolicy {
  createScriptURL(address: string): string;
}

/** What `public/start.js` saves for Safelight before any other script can take it. */
interface Start {
  workers?: WorkerPolicy | undefined;
  openTab?: (address: string) => void;
}

/** Read once, at the very start: no later script finds it. */
let start: Start | undefined;

/**
 * Takes over what the page's first script has left, which is gone from the page once it is read. Called at the very start;
 * empty in a test, and where another script was faster.
 */
export function claimStart(): Start {
  start ??= (globalThis as { safelightStart?: Start }).safelightStart ?? {};
  return start;
}

/** Opens a public URL in a tab of its own, which has no access to this page. */
export function openTab(address: string): void {
  const open = claimStart().openTab ?? ((url: string) => void window.open(url, "_blank", "noopener,noreferrer"));
  open(address);
}
