import { formatDecimals, LOCALE } from "./numbers.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
// Every date and time of the screen is written here, in the reader's locale and zone. The month is a word, so that no day
// is read as a month.
const DATE = writer({ day: "numeric", month: "short", year: "numeric" });
const DAY = writer({ day: "numeric", month: "short" });
const MONTH = writer({ month: "long", year: "numeric" });
const AXIS_MONTH = writer({ month: "short", year: "2-digit" });
const WEEKDAY = writer({ weekday: "short", day: "numeric", month: "short" });
const TIME = writer({ hour: "numeric", minute: "2-digit" });
const TIME_OF_DAY = writer({ hour: "numeric", minute: "2-digit", second: "2-digit" });

/** Made once, when it is first used: a formatter costs a hundred times what its use does, and lists use it for every row. */
function writer(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (date) => {
    format ??= new Intl.DateTimeFormat(LOCALE, options);
    return format.format(date);
  };
}

/** How long something took: "6.2 s" below a minute, then "1:42", then "1:02:03". Never negative. */
export function formatElapsed(ms: number): string {
  const elapsed = Number.isFinite(ms) ? Math.max(0, ms) : 0;
  // Rounds before choosing the form, so that 59.97 s is "1:00" and never "60.0 s".
  if (Math.round(elapsed / 100) < 600) return `${formatDecimals(elapsed / SECOND_MS, 1)} s`;
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

/** A moment for the screen: "Nov 20, 2026, 12:45 PM". Takes Unix seconds, as do all below. */
export function formatDateTime(seconds: number): string {
  const date = dateOf(seconds);
  return date ? `${DATE(date)}, ${TIME(date)}` : "unknown time";
}

/** The same with the day named where it is near: "Today, 12:45 PM". `nowMs` is the current time in ms, also below. */
export function formatMoment(seconds: number, nowMs: number): string {
  const date = dateOf(seconds);
  return date ? `${formatRelativeDay(seconds, nowMs)}, ${TIME(date)}` : "unknown time";
}

/** The time of a day that is named elsewhere: "12:45 PM". */
export function formatTimeOfDay(seconds: number): string {
  const date = dateOf(seconds);
  return date ? TIME(date) : "unknown time";
}

/** A date: "Nov 20, 2026". */
export function formatDate(seconds: number): string {
  const date = dateOf(seconds);
  return date ? DATE(date) : "unknown day";
}

/** A date whose year is plain from what stands around it, as on the axis of a chart: "Nov 20". */
export function formatDayOfYear(seconds: number): string {
  const date = dateOf(seconds);
  return date ? DAY(date) : "unknown day";
}

/** A day of the week with its date: "Fri, Nov 20". */
export function formatWeekday(seconds: number): string {
  const date = dateOf(seconds);
  return date ? WEEKDAY(date) : "unknown day";
}

/** A month where there is little room: "Nov 26". */
export function formatShortMonth(seconds: number): string {
  const date = dateOf(seconds);
  return date ? AXIS_MONTH(date) : "unknown month";
}

/** "November 2026". */
export function formatMonth(seconds: number): string {
  const date = dateOf(seconds);
  return date ? MONTH(date) : "Unknown month";
}

/** To the second, where developers look: "12:45:07 PM", with the date before it unless that is today. */
export function formatExactTime(seconds: number, nowMs: number): string {
  const date = dateOf(seconds);
  if (!date) return "unknown time";
  const isToday = dayStart(date.getTime()) === dayStart(nowMs);
  return isToday ? TIME_OF_DAY(date) : `${DATE(date)}, ${TIME_OF_DAY(date)}`;
}

/** How long ago: "just now", "3 min ago", "2 h ago" within a day, then the date. A moment ahead is "just now". */
export function formatAge(seconds: number, nowMs: number): string {
  if (!dateOf(seconds)) return "unknown time";
  const minutes = Math.floor((nowMs - seconds * SECOND_MS) / MINUTE_MS);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h ago` : formatDate(seconds);
}

/** "Today", "Yesterday", or the date. */
export function formatRelativeDay(seconds: number, nowMs: number): string {
  const date = dateOf(seconds);
  if (!date) return "Unknown day";
  const days = Math.round((dayStart(nowMs) - dayStart(date.getTime())) / (24 * HOUR_MS));
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return DATE(date);
}

/** For the `dateTime` of a `time` element; undefined where no such moment exists. */
export function machineTime(seconds: number): string | undefined {
  return dateOf(seconds)?.toISOString();
}

function dateOf(seconds: number): Date | undefined {
  const date = new Date(seconds * SECOND_MS);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Midnight before a moment, in the time zone of this machine. In ms, as `Date.now()` counts. */
export function dayStart(ms: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
