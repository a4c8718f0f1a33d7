import { useEffect, useState } from "react";

/** The time in ms, renewed every `everyMs`, for clocks on the screen. Stands still while `isRunning` is false. */
export function useNow(everyMs = 1000, isRunning = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isRunning]);
  return now;
}
