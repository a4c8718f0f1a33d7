import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";

export interface Axis {
  /** Three values from zero up, in micro-USD. */
  ticks: [number, number, number];
  /** What the plot's height stands for. */
  topMicroUsd: number;
  /** The limit, where it is near enough to be drawn to scale. */
  limitMicroUsd: MicroUsd | undefined;
}

const NICE = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** A limit far above what was charged would press all bars flat: it is written in words then. */
const MAX_ABOVE = 3;

/** The axis over bars of at most this height, and a limit that is drawn with them. */
export function axisFor(maxMicroUsd: number, limit: MicroUsd | undefined): Axis {
  const isNear = limit !== undefined && limit > 0 && (maxMicroUsd === 0 || limit <= MAX_ABOVE * maxMicroUsd);
  const limitMicroUsd = isNear ? limit : undefined;
  const high = Math.max(maxMicroUsd, limitMicroUsd ?? 0);
  // Over nothing that is known, any scale would do: a dollar.
  const step = high === 0 ? 500_000 : niceStep(high / 2);
  return { ticks: [0, step, 2 * step], topMicroUsd: Math.max(2 * step, high) * 1.06, limitMicroUsd };
}

/** The next round amount that is not below: whole micro-USD. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const factor = NICE.find((one) => one * power >= least && Number.isInteger(one * power)) ?? 10;
  return Math.max(1, factor * power);
}

/** `$5` where all ticks are whole dollars, else with the decimals that the finest of them needs. */
export function tickText(value: number, { ticks }: Axis): string {
  if (ticks.every((tick) => tick % 1_000_000 === 0)) return formatMicroUsd(value).replace(/\.00$/, "");
  return value === 0 ? "$0" : formatMicroUsd(value);
}
