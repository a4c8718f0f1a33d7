import { useSyncExternalStore } from "react";
import { fileKey } from "./file-address.ts";

/** What an element learned of a file when it loaded it: the file's own pixels and length. */
export interface MeasuredFile {
  /** In pixels. */
  width?: number;
  height?: number;
  durationSeconds?: number;
}

const MOST_KNOWN = 1000;
const measured = new Map<string, MeasuredFile>();
const listeners = new Set<() => void>();

const nameOf = (url: string) => fileKey(url) ?? url;

/** What was measured of a file since the page was opened; undefined where no element has loaded it. Never throws. */
export function measuredFile(url: string): MeasuredFile | undefined {
  return measured.get(nameOf(url));
}

/** Remembers what an element that has loaded shows. Elements that tell nothing are left out. Never throws. */
export function noteMeasured(url: string, element: EventTarget): void {
  const next = measure(element);
  if (next !== undefined) noteSize(url, next);
}

/** Remembers what is known of a file without an element that has loaded it from its address. Never throws. */
export function noteSize(url: string, next: MeasuredFile): void {
  const name = nameOf(url);
  const known = measured.get(name);
  if (known && JSON.stringify(known) === JSON.stringify(next)) return;
  measured.delete(name);
  measured.set(name, next);
  const [oldest] = measured.keys();
  if (measured.size > MOST_KNOWN && oldest !== undefined) measured.delete(oldest);
  for (const listener of listeners) listener();
}

function measure(element: EventTarget): MeasuredFile | undefined {
  if (element instanceof HTMLImageElement) return sides(element.naturalWidth, element.naturalHeight);
  if (!(element instanceof HTMLMediaElement)) return undefined;
  const pixels = element instanceof HTMLVideoElement ? sides(element.videoWidth, element.videoHeight) : undefined;
  // A stream that was never cut to length tells an endless one.
  const seconds = Number.isFinite(element.duration) && element.duration > 0 ? element.duration : undefined;
  if (!pixels && seconds === undefined) return undefined;
  return { ...pixels, ...(seconds === undefined ? {} : { durationSeconds: seconds }) };
}

function sides(width: number, height: number): MeasuredFile | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was measured of some files, in their order; renders again when more is known. */
export function useMeasuredFiles(urls: readonly string[]): readonly (MeasuredFile | undefined)[] {
  const text = () => JSON.stringify(urls.map((url) => measuredFile(url) ?? null));
  const known: (MeasuredFile | null)[] = JSON.parse(useSyncExternalStore(subscribe, text));
  return known.map((one) => one ?? undefined);
}
