import { startTransition, useEffect, useState } from "react";

/** Fields that are there with the first paint: more than a window shows. */
const FIRST = 20;
const STEP = 10;

/**
 * How many of `total` rows to show: the first ones at once, the others in small groups between other work, so that a
 * long form is usable before it is whole. `needed` shows all of them at once.
 */
export function useProgressiveCount(total: number, needed: boolean): number {
  const [count, setCount] = useState(FIRST);
  useEffect(() => {
    if (needed || count >= total) return;
    const timer = setTimeout(() => startTransition(() => setCount(count + STEP)), 0);
    return () => clearTimeout(timer);
  }, [count, total, needed]);
  return needed ? total : Math.min(count, total);
}
