import { fetchMedia } from "../fetch-media.ts";

/** How many bars a waveform has. */
export const BARS = 96;
const LARGEST_BYTES = 30 * 1024 * 1024;
const MOST_KEPT = 200;

/** The loudest sample of each of so many stretches, 0 to 1, so that the loudest of all is 1. */
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
export function loadPeaks(url: string): Promise<number[] | undefined> {
  const before = known.get(url);
  if (before) return before;
  const peaks = turn.then(() => decode(url)).catch(() => undefined);
  turn = peaks;
  known.set(url, peaks);
  const oldest = known.keys().next();
  if (known.size > MOST_KEPT && !oldest.done) known.delete(oldest.value);
  return peaks;
}

async function decode(url: string): Promise<number[] | undefined> {
  if (typeof OfflineAudioContext === "undefined") return undefined;
  const response = await fetchMedia(url);
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
