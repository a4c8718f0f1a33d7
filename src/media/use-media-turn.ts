import { type SyntheticEvent, useCallback, useEffect, useRef, useState } from "react";
import { needsTransfer, openTransfer } from "#connection/open-transfer.ts";
import { useStorageAddress } from "#connection/relay.ts";

export interface MediaTurn {
  /** What the element loads. Undefined while its address is not known or no connection is free for it. */
  src: string | undefined;
  /** Takes the element: of those that wait, the ones on the screen load first. */
  ref: (element: HTMLElement | null) => void;
  /** To be called when the element has loaded, or when it is known why not. */
  onOver: (isLoaded: boolean) => void;
  /** For clips and sounds: a browser keeps the connection of one that was played until all of it has come. */
  onPlay: (event: SyntheticEvent<HTMLMediaElement>) => void;
}

/** A storage that hangs must not hold up everything else: after this long an element goes on without a turn. */
const LONGEST_MS = 30_000;
const MAX_KNOWN = 1000;

/** Addresses that an element of this page has loaded: those come from the browser's cache. */
const loadedHere = new Set<string>();

/**
 * The address under which an element loads a stored file, once it has its turn: at once, unless connections are few.
 * `url` must be one that a page may load; undefined for none. Another `attempt` loads anew.
 */
export function useMediaTurn(url: string | undefined, attempt = 0): MediaTurn {
  const address = useStorageAddress("media", url);
  const [granted, setGranted] = useState<string>();
  const element = useRef<HTMLElement>(null);
  const loading = useRef<AbortController>(undefined);
  const playing = useRef<AbortController>(undefined);
  const mark = `${attempt} ${address}`;
  const isLimited = address !== undefined && needsTransfer(address);
  const isFree = !isLimited || (attempt === 0 && loadedHere.has(address));

  useEffect(() => {
    if (isFree) return;
    const controller = new AbortController();
    const { signal } = controller;
    loading.current = controller;
    const isVisible = () => isOnScreen(element.current);
    void holdTransfer("media", signal, isVisible).then((end) => {
      if (!end) return;
      const limit = setTimeout(end, LONGEST_MS);
      signal.addEventListener("abort", () => clearTimeout(limit), { once: true });
      setGranted(mark);
    });
    return () => controller.abort();
  }, [isFree, mark]);
  useEffect(() => () => playing.current?.abort(), []);

  return {
    src: isFree || granted === mark ? address : undefined,
    ref: useCallback((node) => {
      element.current = node;
    }, []),
    onOver: (isLoaded) => {
      loading.current?.abort();
      if (isLoaded && isLimited && loadedHere.size < MAX_KNOWN) loadedHere.add(address);
    },
    onPlay: ({ currentTarget: clip }) => {
      if (!isLimited || playing.current || isWhole(clip)) return;
      const controller = new AbortController();
      playing.current = controller;
      // It plays all the same: the browser has its connection already.
      void holdTransfer("playing", controller.signal).then((end) => {
        if (end) clip.addEventListener("progress", () => isWhole(clip) && end());
      });
    },
  };
}

/** Holds a connection until the signal aborts or the function is called; undefined where the signal came first. */
async function holdTransfer(
  kind: "media" | "playing",
  signal: AbortSignal,
  isVisible?: () => boolean,
): Promise<(() => void) | undefined> {
  const end = await openTransfer(kind, { signal, isVisible }).catch(() => undefined);
  if (signal.aborted) end?.();
  else if (end) signal.addEventListener("abort", end, { once: true });
  return signal.aborted ? undefined : end;
}

function isOnScreen(element: HTMLElement | null): boolean {
  if (!element) return true;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= innerHeight;
}

function isWhole({ buffered, duration }: HTMLMediaElement): boolean {
  return buffered.length === 1 && buffered.start(0) === 0 && buffered.end(0) >= duration - 0.1;
}
