const SLICE_MS = 8;
const LONGEST_WAIT_MS = 2000;

/**
 * Does a long piece of work in moments in which the page has nothing else to do. `work` goes on until `isLate`, and
 * returns whether it is done; until then it is called again. Gives a function that ends it.
 */
export function whenIdle(work: (isLate: () => boolean) => boolean): () => void {
  let isEnded = false;
  const go = (isLate: () => boolean) => {
    if (!isEnded && !work(isLate)) later(go);
  };
  later(go);
  return () => {
    isEnded = true;
  };
}

function later(go: (isLate: () => boolean) => void): void {
  // Safari has no idle callbacks: short slices with room between them.
  if (typeof requestIdleCallback !== "function") {
    setTimeout(() => {
      const start = performance.now();
      go(() => performance.now() - start > SLICE_MS);
    }, SLICE_MS);
    return;
  }
  requestIdleCallback((deadline) => go(() => deadline.timeRemaining() < 1), { timeout: LONGEST_WAIT_MS });
}
