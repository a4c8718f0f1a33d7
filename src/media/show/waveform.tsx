import { clsx } from "clsx";
import { AudioLines } from "lucide-react";
import { useEffect, useState } from "react";
import { openTransfer } from "#connection/open-transfer.ts";
import { fetchMedia } from "../fetch-media.ts";

// Only a sound that stays in view this long is read, so that scrolling past reads nothing.
const REST_MS = 250;

/** The shape of a sound, as bars; until it is known, or where it cannot be, a plain sign of sound. */
export function Waveform({ url, className }: { url: string; className?: string | undefined }) {
  const [peaks, setPeaks] = useState<number[]>();
  useEffect(() => {
    let isGone = false;
    const wait = setTimeout(() => {
      void loadPeaks(url).then((found) => {
        if (!isGone) setPeaks(found);
      });
    }, REST_MS);
    return () => {
      isGone = true;
      clearTimeout(wait);
    };
  }, [url]);
  if (!peaks) return <AudioLines aria-hidden className={clsx("size-7", className)} strokeWidth={1.5} />;
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${BARS * 3} 60`}
      preserveAspectRatio="none"
      className={clsx("h-1/2 max-h-24 w-4/5", className)}
    >
      <path
        d={peaks.map((peak, bar) => `M${bar * 3 + 1} ${30 - peak * 28}V${30 + Math.max(1, peak * 28)}`).join("")}
        stroke="currentColor"
        strokeWidth={1.6}
        strokeLinecap="round"
      />
    </svg>
  );
}

/** How many bars a waveform has. */
const BARS = 96;
const LARGEST_BYTES = 30 * 1024 * 1024;
const MOST_KNOWN = 200;

/**
 * The loudest sample of each of `bars` equal stretches, scaled so that the loudest of all is 1. All 0 for silence.
 * Never throws.
 */
export function peaksOf(samples: Float32Array, bars = BARS): number[] {
  const peaks = Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * samples.length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * samples.length) / bars));
    let peak = 0;
    for (let place = from; place < to && place < samples.length; place++)
      peak = Math.max(peak, Math.abs(samples[place] ?? 0));
    return peak;
  });
  const loudest = Math.max(...peaks);
  return loudest > 0 ? peaks.map((peak) => peak / loudest) : peaks;
}

const known = new Map<string, Promise<number[] | undefined>>();
let turn: Promise<unknown> = Promise.resolve();

/**
 * The waveform of a sound, each address read once and one after the other. Undefined where the storage does not let the
 * page read it, where it is too large, or where the browser cannot decode it.
 */
function loadPeaks(url: string): Promise<number[] | undefined> {
  const before = known.get(url);
  if (before) return before;
  const peaks = turn.then(() => decode(url)).catch(() => undefined);
  turn = peaks;
  known.set(url, peaks);
  const oldest = known.keys().next();
  if (known.size > MOST_KNOWN && !oldest.done) known.delete(oldest.value);
  return peaks;
}

async function decode(url: string): Promise<number[] | undefined> {
  if (typeof OfflineAudioContext === "undefined") return undefined;
  const end = await openTransfer("media");
  try {
    return await readPeaks(await fetchMedia(url));
  } finally {
    end();
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
  return peaksOf(sound.getChannelData(0));
}
