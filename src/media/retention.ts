import { counted } from "#lib/numbers.ts";
import { formatDate } from "#lib/time.ts";

/** The days for which the service stores generated media (spec 8). */
export const RETENTION_DAYS = 60;

/** The most days left at which a warning is shown. */
export const SOON_DAYS = 14;

const DAY_SECONDS = 86_400;

/**
 * Days for which the service still stores a job's media: 60 for a new job, 1 on the last day, 0 or less once they are
 * over. Undefined where the service did not say when the job was made.
 */
export function daysLeft(createdAtSeconds: number | undefined, nowMs: number): number | undefined {
  if (createdAtSeconds === undefined || !Number.isFinite(createdAtSeconds)) return undefined;
  const days = Math.ceil((createdAtSeconds + RETENTION_DAYS * DAY_SECONDS - nowMs / 1000) / DAY_SECONDS);
  // The clock of the service may run ahead of this one, or faster, as the sandbox's can: a job cannot be newer than
  // now.
  return Math.min(RETENTION_DAYS, days);
}

/** How urgent the days left are: `fine` above 14, `soon` from 14, `last` from 3, `over` at 0 or less. */
export function retentionTone(days: number): "fine" | "soon" | "last" | "over" {
  if (days <= 0) return "over";
  if (days <= 3) return "last";
  return days <= SOON_DAYS ? "soon" : "fine";
}

/** The colour of days left: yellow from 14, red from 3, none before and after. */
export function retentionClass(days: number | undefined): string | undefined {
  const tone = days === undefined ? "fine" : retentionTone(days);
  if (tone === "last") return "text-failed!";
  return tone === "soon" ? "text-unconfirmed!" : undefined;
}

/** The days left in words: "Expires in 58 days", "Expires in 1 day", "Expired". */
export function retentionText(days: number): string {
  if (days <= 0) return "Expired";
  return `Expires in ${counted(days, "day")}`;
}

/**
 * What opening a file's address in a tab will do, where the page itself may not have the file: who is asked, and until
 * when it is there.
 */
export function tabSentence(address: string, createdAtSeconds: number | undefined, nowMs = Date.now()): string {
  const host = URL.canParse(address) ? new URL(address).host : "the file host";
  const asks = `The new tab loads the file directly from ${host}`;
  if (createdAtSeconds === undefined) return `${asks}, where it stays for ${RETENTION_DAYS} days.`;
  const endSeconds = createdAtSeconds + RETENTION_DAYS * DAY_SECONDS;
  const day = formatDate(endSeconds);
  return endSeconds * 1000 > nowMs
    ? `${asks}, where it stays until ${day}.`
    : `${asks}. The file expired on ${day}, so it may be gone.`;
}
