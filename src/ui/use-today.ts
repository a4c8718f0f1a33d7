import { useSyncExternalStore } from "react";

const midnight = () => new Date().setHours(0, 0, 0, 0);

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, 60_000);
  return () => clearInterval(timer);
}

/**
 * The first moment of today in the person's own time zone, Unix ms. A page that stays open over midnight, or over a night of sleep,
 * is rendered again with the new day within a minute.
 */
export const useToday = (): number => useSyncExternalStore(subscribe, midnight);
