import type { HistoryEntry } from "../history-entry.ts";

/** What the viewer shows: a job, and one of its files. */
export interface ViewerPlace {
  requestId: string;
  /** From 0. */
  file: number;
}

/** One file forward or back: over the files of a job, then to the next job. Stays at either end. */
export function movedPlace(place: ViewerPlace, step: 1 | -1, entries: readonly HistoryEntry[]): ViewerPlace {
  const index = entries.findIndex((entry) => entry.requestId === place.requestId);
  const entry = entries[index];
  if (!entry) return place;
  const file = place.file + step;
  if (file >= 0 && file < Math.max(1, entry.media.length)) return { ...place, file };
  const other = entries[index + step];
  if (!other) return place;
  return { requestId: other.requestId, file: step === 1 ? 0 : Math.max(0, other.media.length - 1) };
}

/** A place as it stands in the address: the id, and the file where it is not the first. */
export function placeText({ requestId, file }: ViewerPlace): string {
  return file > 0 ? `${requestId}~${file + 1}` : requestId;
}

/** A place read from the address. */
export function readPlace(text: string): ViewerPlace {
  const match = /^(.+)~(\d{1,3})$/.exec(text);
  if (!match?.[1]) return { requestId: text, file: 0 };
  return { requestId: match[1], file: Math.max(0, Number(match[2]) - 1) };
}

export type ViewerAct =
  | "previous"
  | "next"
  | "first"
  | "last"
  | "details"
  | "reuse-all"
  | "remix"
  | "reuse-prompt"
  | "reuse-seed"
  | "download"
  | "compare"
  | "as-input"
  | "star"
  | "full-screen"
  | "zoom-in"
  | "zoom-out"
  | "fit"
  | "frame-back"
  | "frame-on"
  | "play";

const ACTS: Readonly<Record<string, ViewerAct>> = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  Home: "first",
  End: "last",
  i: "details",
  a: "reuse-all",
  r: "remix",
  p: "reuse-prompt",
  s: "reuse-seed",
  d: "download",
  m: "compare",
  w: "as-input",
  ".": "star",
  f: "full-screen",
  "+": "zoom-in",
  "=": "zoom-in",
  "-": "zoom-out",
  "0": "fit",
  "[": "frame-back",
  "]": "frame-on",
  " ": "play",
};

interface KeyLike {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  target: EventTarget | null;
}

/** What a key does in the viewer: nothing with a modifier, nor while a field or a player has the focus. */
export function viewerActOf(event: KeyLike): ViewerAct | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = event.target instanceof Element ? event.target : undefined;
  if (target?.closest("input, textarea, select, [contenteditable=true]")) return undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isOnControl = target?.closest("button, a, video, audio, summary") !== null && target !== undefined;
  // A focused control handles its own keys.
  if (isOnControl && key === " ") return undefined;
  if (target?.closest("video, audio") && key.startsWith("Arrow")) return undefined;
  return Object.hasOwn(ACTS, key) ? ACTS[key] : undefined;
}
