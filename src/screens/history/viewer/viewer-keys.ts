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

/** What a key does in the viewer. Nothing with a modifier held, and nothing while something is typed or played by key. */
export function viewerActOf(event: KeyLike): ViewerAct | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = event.target instanceof Element ? event.target : undefined;
  if (target?.closest("input, textarea, select, [contenteditable=true]")) return undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isOnControl = target?.closest("button, a, video, audio, summary") !== null && target !== undefined;
  // A focused control keeps its own keys.
  if (isOnControl && key === " ") return undefined;
  if (target?.closest("video, audio") && key.startsWith("Arrow")) return undefined;
  return Object.hasOwn(ACTS, key) ? ACTS[key] : undefined;
}
