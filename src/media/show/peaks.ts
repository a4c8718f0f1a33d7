/** How many bars a waveform has. */
export const BARS = 96;

/**
 * The loudest sample of each of `bars` equal stretches, scaled so that the loudest of all is 1. All 0 for silence.
 */
export function getPeaks(samples: Float32Array, bars = BARS): number[] {
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
