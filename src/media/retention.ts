import { create } from "zustand";
import { asTexts } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

/** The service stores generated media for so many days (spec 8). */
export const RETENTION_DAYS = 60;

/** From so many days left on a warning is shown. */
export const SOON_DAYS = 14;

const DAY_SECONDS = 86_400;

/**
 * Days for which the service still stores a job's media: 60 for a new job, 1 on the last day, 0 or less once they are
 * over. Undefined where the service did not say when the job was made. Never throws.
 */
export function daysLeft(createdAtSeconds: number | undefined, nowMs: number): number | undefined {
  if (createdAtSeconds === undefined || !Number.isFinite(createdAtSeconds)) return undefined;
  const days = Math.ceil((createdAtSeconds + RETENTION_DAYS * DAY_SECONDS - nowMs / 1000) / DAY_SECONDS);
  // The clock of the service may run ahead of this one, or faster, as the sandbox's can: a job cannot be newer than
  // now.
  return Math.min(RETENTION_DAYS, days);
}

/** How urgent the days left are: `fine` above 14, `soon` from 14, `last` from 3, `over` at 0 or less. Never throws. */
export function retentionTone(days: number): "fine" | "soon" | "last" | "over" {
  if (days <= 0) return "over";
  if (days <= 3) return "last";
  return days <= SOON_DAYS ? "soon" : "fine";
}

/** The days left in words: "kept 58 more days", "kept 1 more day", "expired". Never throws. */
export function retentionText(days: number): string {
  if (days <= 0) return "expired";
  return days === 1 ? "kept 1 more day" : `kept ${days} more days`;
}

const MOST_STORED = 5000;

interface DeletedMedia {
  requestIds: ReadonlySet<string>;
}

// The job record says nothing about its media having been deleted (spec 4.1 rule 6), so this browser remembers.
const useStore = create<DeletedMedia>(() => ({ requestIds: new Set(readStored()) }));

/** Whether this browser has had the media of a job deleted. */
export function useIsMediaDeleted(requestId: string): boolean {
  return useStore((state) => state.requestIds.has(requestId));
}

/** The same, outside a component. Never throws. */
export function isMediaDeleted(requestId: string): boolean {
  return useStore.getState().requestIds.has(requestId);
}

/** Remembers that the service has deleted the media of these jobs, the last 5000 of them. Never throws. */
export function markMediaDeleted(requestIds: string[]): void {
  const marked = (known: Iterable<string>) => [...new Set([...known, ...requestIds])].slice(-MOST_STORED);
  useStore.setState((state) => ({ requestIds: new Set(marked(state.requestIds)) }));
  // Added to what is stored now, so that ids which were wiped meanwhile stay away. Where storage is full or closed, the
  // mark lives as long as the page does; the file then shows as gone.
  writeJson(KEYS.deletedMedia, marked(readStored()));
}

function readStored(): string[] {
  return asTexts(readJson(KEYS.deletedMedia)).slice(-MOST_STORED);
}
