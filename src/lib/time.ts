const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
// Made once: a formatter costs a hundred times what its use does, and lists use it for every row.
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** How long something took: "6.2 s" below a minute, then "1:42", then "1:02:03". Never negative. */
export function formatElapsed(ms: number): string {
  const elapsed = Number.isFinite(ms) ? Math.max(0, ms) : 0;
  // Rounds before choosing the form, so that 59.97 s is "1:00" and never "60.0 s".
  if (Math.round(elapsed / 100) < 600) return `${(elapsed / SECOND_MS).toFixed(1)} s`;
  const seconds = Math.max(60, Math.floor(elapsed / SECOND_MS));
  const pair = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${pair(minutes)}:${pair(seconds % 60)}` : `${minutes}:${pair(seconds % 60)}`;
}

/** A running clock in whole seconds: "0:42", "1:42", "1:02:03". Takes ms. Never negative. */
export function formatClock(ms: number): string {
  const elapsed = Number.isFinite(ms) ? Math.max(0, ms) : 0;
  return elapsed < MINUTE_MS
    ? `0:${String(Math.floor(elapsed / SECOND_MS)).padStart(2, "0")}`
    : formatElapsed(Math.floor(elapsed / SECOND_MS) * SECOND_MS);
}

/** A moment for the screen, in the reader's own zone: "20 Nov 2026, 12:45". Takes Unix seconds. */
export function formatDateTime(seconds: number): string {
  const date = new Date(seconds * SECOND_MS);
  if (Number.isNaN(date.getTime())) return "unknown time";
  return `${DAY.format(date)}, ${TIME.format(date)}`;
}

/** "Today", "Yesterday", or the date in the reader's own zone. Takes Unix seconds and the current time in ms. */
export function formatRelativeDay(seconds: number, nowMs: number): string {
  const date = new Date(seconds * SECOND_MS);
  if (Number.isNaN(date.getTime())) return "Unknown day";
  const days = Math.round((startOfDay(new Date(nowMs)) - startOfDay(date)) / (24 * HOUR_MS));
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return DAY.format(date);
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
