import type { JobRecord } from "#storage/job-records.ts";

const COMPARE_MODES = [
  { value: "slider", label: "Slider" },
  { value: "side", label: "Side by side" },
  { value: "flicker", label: "Flicker" },
  { value: "difference", label: "Difference" },
] as const;
export type CompareMode = (typeof COMPARE_MODES)[number]["value"];

/** The ways in which these files can be compared: sounds and other files cannot be laid over each other. */
export function modesFor(jobs: readonly JobRecord[]): readonly (typeof COMPARE_MODES)[number][] {
  const canOverlay = jobs.every(({ media: [file] }) => file?.kind === "image" || file?.kind === "video");
  return canOverlay ? COMPARE_MODES : COMPARE_MODES.filter(({ value }) => value === "side");
}

/** The mode after this one, in turn. */
export function nextMode(mode: CompareMode, modes: readonly { value: CompareMode }[] = COMPARE_MODES): CompareMode {
  const place = modes.findIndex((one) => one.value === mode);
  return modes[(place + 1) % modes.length]?.value ?? mode;
}

/** Which two of the compared jobs are laid over each other, by their places. */
export type Pair = readonly [a: number, b: number];

/** A pair with another job at one of its sides. Where that is on the other side already, both change places. */
export function withPick(pair: Pair, side: 0 | 1, place: number): Pair {
  const [a, b] = pair;
  if (place === pair[side === 0 ? 1 : 0]) return [b, a];
  return side === 0 ? [place, b] : [a, place];
}

/** The next job for one side, in turn, past the one on the other side. */
export function steppedPair(pair: Pair, side: 0 | 1, step: 1 | -1, count: number): Pair {
  if (count < 3) return pair;
  let place = pair[side];
  do place = (place + step + count) % count;
  while (place === pair[side === 0 ? 1 : 0]);
  return withPick(pair, side, place);
}
