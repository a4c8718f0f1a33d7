import { useEffect, useState } from "react";

const FLICKER_MS = 600;

/** Whose turn it is, of so many. */
export function useFlicker(count: number): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (count === 0) return;
    const flicker = setInterval(() => setTurn((now) => now + 1), FLICKER_MS);
    return () => clearInterval(flicker);
  }, [count]);
  return count === 0 ? 0 : turn % count;
}
