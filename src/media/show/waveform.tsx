import { clsx } from "clsx";
import { AudioLines } from "lucide-react";
import { type MouseEvent, useEffect, useState, useSyncExternalStore } from "react";
import { openTransfer } from "#connection/open-transfer.ts";
import { fetchMedia } from "../fetch-media.ts";
import { findBars, keepBars } from "../thumbs/thumb-cache.ts";
import { BARS, getPeaks } from "./peaks.ts";
import type { Player } from "./player.ts";

// Only a sound that stays in view this long is read, so that scrolling past reads nothing.
const REST_MS = 250;

interface WaveformProps {
  url: string;
  className?: string | undefined;
  /** How much of it has been played, 0 to 1: that part is stronger. */
  played?: number | undefined;
}

/** The waveform of a sound, as bars; an icon while it is not known or cannot be read. */
export function Waveform({ url, className, played }: WaveformProps) {
  const [peaks, setPeaks] = useState<number[]>();
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (found: number[] | undefined) => isGone || setPeaks(found);
    void findBars(url)
      .catch(() => undefined)
      .then((stored) => {
        if (isGone) return;
        if (stored) show(stored);
        else timer = setTimeout(() => void loadPeaks(url).then(show), REST_MS);
      });
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [url]);
  if (!peaks) return <AudioLines aria-hidden className={clsx("size-7", className)} strokeWidth={1.5} />;
  const bars = (from: number, to: number) =>
    peaks
      .map((peak, bar) => `M${bar * 3 + 1} ${30 - peak * 28}V${30 + Math.max(1, peak * 28)}`)
      .slice(from, to)
      .join("");
  const split = Math.round((played ?? 0) * BARS);
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${BARS * 3} 60`}
      preserveAspectRatio="none"
      className={clsx("h-1/2 max-h-24 w-4/5", className)}
    >
      {split > 0 && <path d={bars(0, split)} className="stroke-ink" strokeWidth={1.6} strokeLinecap="round" />}
      <path d={bars(split, BARS)} stroke="currentColor" strokeWidth={1.6} strokeLinecap="round" />
    </svg>
  );
}

/** The waveform of a sound that can be played: what has been heard is stronger, and a press leads to its moment. */
export function PlayedWaveform({ url, player }: { url: string; player: Player | undefined }) {
  const part = useSyncExternalStore(player?.subscribe ?? noChange, () => (player ? partOf(player) : 0));
  function seek({ currentTarget, clientX }: MouseEvent) {
    const { left, width } = currentTarget.getBoundingClientRect();
    if (player && width > 0) player.seek(((clientX - left) / width) * player.state().duration);
  }
  return (
    // The keyboard has the playhead of the bar.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      className={clsx("grid h-1/2 max-h-40 w-full max-w-250 place-items-center", player && "cursor-pointer")}
      onClick={seek}
    >
      <Waveform url={url} played={part} className="h-full! max-h-none! w-full!" />
    </div>
  );
}

const noChange = () => () => undefined;

/** The part that was played, in steps of a bar: the shape is drawn again only when it changes. */
function partOf(player: Player): number {
  const { duration } = player.state();
  return duration > 0 ? Math.round((player.seconds() / duration) * BARS) / BARS : 0;
}

/** A larger file is not decoded only to draw it. */
const LARGEST_BYTES = 30 * 1024 * 1024;
/** Waveforms in memory. */
const MAX_KNOWN = 200;

const known = new Map<string, Promise<number[] | undefined>>();
/** Ends when the last sound in line is read. */
let lastInLine: Promise<unknown> = Promise.resolve();

/**
 * The waveform of a sound, each address read once and one after the other. Undefined where the storage does not let the
 * page read it, where it is too large, or where the browser cannot decode it.
 */
function loadPeaks(url: string): Promise<number[] | undefined> {
  const before = known.get(url);
  if (before) return before;
  const peaks = lastInLine.then(() => decode(url)).catch(() => undefined);
  lastInLine = peaks;
  known.set(url, peaks);
  const oldest = known.keys().next();
  if (known.size > MAX_KNOWN && !oldest.done) known.delete(oldest.value);
  return peaks;
}

async function decode(url: string): Promise<number[] | undefined> {
  if (typeof OfflineAudioContext === "undefined") return undefined;
  const releaseTransfer = await openTransfer("media");
  try {
    const peaks = await readPeaks(await fetchMedia(url));
    if (peaks) keepBars(url, peaks);
    return peaks;
  } finally {
    releaseTransfer();
  }
}

async function readPeaks(response: Response): Promise<number[] | undefined> {
  if (Number(response.headers.get("content-length") ?? 0) > LARGEST_BYTES) {
    await response.body?.cancel();
    return undefined;
  }
  const buffer = await response.arrayBuffer();
  if (buffer.byteLength > LARGEST_BYTES) return undefined;
  // Its rate does not matter for a picture of the loudness; a low one keeps the decoded sound small.
  const sound = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(buffer);
  return getPeaks(sound.getChannelData(0));
}
