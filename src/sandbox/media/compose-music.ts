import { createRandom, hashText, type SeededRandom } from "./seeded-random.ts";

// The numbers of this file were chosen by ear.

/** Interleaved stereo samples and their rate. */
interface Music {
  samples: Float32Array;
  rate: number;
}

const SCALES: readonly [readonly number[], ...(readonly number[])[]] = [
  [0, 2, 4, 7, 9],
  [0, 3, 5, 7, 10],
  [0, 2, 5, 7, 9],
  [0, 2, 4, 6, 9],
  [0, 2, 3, 7, 9],
];

interface Note {
  /** Seconds from the beginning of the piece. */
  start: number;
  seconds: number;
  hertz: number;
  /** Amplitude, 0 to 1. */
  loud: number;
  /** -1 left to 1 right. */
  place: number;
  /** Share of overtones: 0 is a pure tone. */
  bright: number;
  /** Seconds until the tone is at its loudest. */
  attack: number;
}

/**
 * A quiet piece: a slow chord bed, a bass, and a plucked melody on a five-tone scale with an echo.
 * Key, tempo, scale and melody follow the prompt and the seed; the same two give the same samples.
 */
export function composeMusic(prompt: string, seed: number, durationSeconds: number): Music {
  // Long pieces are sampled more coarsely to stay small: half a minute is about 5 MB, five minutes about 26 MB.
  const rate = durationSeconds > 60 ? 22_050 : 44_100;
  const length = Math.max(1, Math.round(durationSeconds * rate));
  const random = createRandom(hashText(prompt.trim().toLowerCase()) ^ Math.imul(seed + 1, 0x9e3779b1));
  const samples = new Float32Array(length * 2);
  for (const note of writeNotes(random, durationSeconds)) playNote(samples, rate, note);
  addEcho(samples, rate, 0.31, 0.34);
  master(samples, rate);
  return { samples, rate };
}

function writeNotes(random: SeededRandom, seconds: number): Note[] {
  const scale = random.pick(SCALES);
  const root = 110 * 2 ** (Math.floor(random.between(-3, 6)) / 12);
  const beat = random.between(0.26, 0.46);
  const bar = beat * 8;
  const bright = random.between(0.15, 0.6);
  const pitch = (step: number, octave: number): number => {
    const degree = ((step % scale.length) + scale.length) % scale.length;
    return root * 2 ** (octave + Math.floor(step / scale.length) + (scale[degree] ?? 0) / 12);
  };
  const motif = Array.from({ length: 8 }, () => ({
    step: Math.floor(random.between(0, 7)),
    rests: random.next() < 0.3,
  }));
  const notes: Note[] = [];
  for (let start = 0, count = 0; start < seconds; start += bar, count++) {
    const base = [0, 3, 1, 4][count % 4] ?? 0;
    for (const step of [0, 2, 4]) {
      const place = (step - 2) * 0.3;
      notes.push({
        start,
        seconds: bar * 1.15,
        hertz: pitch(base + step, 1),
        loud: 0.1,
        place,
        bright: 0.12,
        attack: beat * 2.5,
      });
    }
    notes.push({ start, seconds: bar * 0.9, hertz: pitch(base, 0), loud: 0.2, place: 0, bright: 0.25, attack: 0.03 });
    motif.forEach(({ step, rests }, index) => {
      // At the end of every fourth bar the notes and the rests of the motif change places.
      if (rests !== (count % 4 === 3 && index > 4)) return;
      const at = start + index * beat;
      const varied = random.next() < 0.2 ? step + 1 : step;
      const place = Math.sin(index * 1.3 + count) * 0.5;
      const loud = 0.16 * random.between(0.7, 1);
      notes.push({
        start: at,
        seconds: beat * 3.2,
        hertz: pitch(base + varied, 2),
        loud,
        place,
        bright,
        attack: 0.006,
      });
    });
  }
  return notes;
}

/** A tone with a few overtones that die sooner the higher they are, as on a struck string. */
function playNote(samples: Float32Array, rate: number, note: Note): void {
  const first = Math.round(note.start * rate);
  const count = Math.min(Math.round(note.seconds * rate), samples.length / 2 - first);
  const attack = Math.max(1, Math.round(note.attack * rate));
  const release = Math.max(1, Math.round(note.seconds * rate * 0.3));
  const left = Math.sqrt((1 - note.place) / 2);
  const right = Math.sqrt((1 + note.place) / 2);
  for (let overtone = 1; overtone <= 4; overtone++) {
    // A resonator makes a sine without a call per sample; the decay is a factor per sample.
    const turn = (2 * Math.PI * note.hertz * overtone * (1 + overtone * 0.0004)) / rate;
    const factor = 2 * Math.cos(turn);
    const decay = Math.exp(-(1.5 + overtone) / (note.seconds * rate));
    let previous = -Math.sin(turn);
    let current = 0;
    let level = note.loud * (overtone === 1 ? 1 : note.bright / overtone);
    for (let i = 0; i < count; i++) {
      const swell = i < attack ? i / attack : 1;
      const fade = count - i < release ? (count - i) / release : 1;
      const value = level * swell * fade * current;
      const to = (first + i) * 2;
      samples[to] = (samples[to] ?? 0) + value * left;
      samples[to + 1] = (samples[to + 1] ?? 0) + value * right;
      const next = factor * current - previous;
      previous = current;
      current = next;
      level *= decay;
    }
  }
}

/** Repeats from the other side, each quieter than the last. */
function addEcho(samples: Float32Array, rate: number, seconds: number, share: number): void {
  const delay = Math.round(seconds * rate) * 2;
  for (let i = delay; i + 1 < samples.length; i += 2) {
    samples[i] = (samples[i] ?? 0) + (samples[i - delay + 1] ?? 0) * share;
    samples[i + 1] = (samples[i + 1] ?? 0) + (samples[i - delay] ?? 0) * share;
  }
}

/** Brings the loudest point to 0.8 and fades the ends. */
function master(samples: Float32Array, rate: number): void {
  let peak = 0.001;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  const fade = Math.min(rate * 2, samples.length / 2);
  for (let i = 0; i < samples.length; i++) {
    const fromEnd = Math.min(1, (samples.length - i) / fade) * Math.min(1, i / (rate * 0.02));
    samples[i] = ((samples[i] ?? 0) / peak) * 0.8 * fromEnd;
  }
}
