let asked = false;

/**
 * Asks the browser not to clear our rows when space runs out. Asked once, after the first submit was accepted: by then
 * there is something worth keeping. The answer changes nothing else.
 */
export async function keepDurable(): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    if (!(await navigator.storage?.persisted?.())) await navigator.storage?.persist?.();
  } catch {
    // Not offered here: rows are then kept as long as the browser likes.
  }
}
