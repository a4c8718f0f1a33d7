export interface Spread {
  lowest: number;
  median: number;
  highest: number;
}

/** How far measured values lie apart. Undefined where there are none. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || lowest === undefined || highest === undefined) return undefined;
  return { lowest, median: (low + high) / 2, highest };
}
