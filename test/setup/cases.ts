/** Whether `npm run test:long` runs: all of everything, where `npm test` takes a sample. */
export const isLongSuite = process.env.LONG_SUITE === "1";

/** How many cases: `sample` in `npm test`, `long` in the long suite. `CASES=5000 npm run unit -- FILE` looks for more. */
export function cases(sample: number, long = 10 * sample): number {
  const asked = process.env.CASES;
  if (!asked) return isLongSuite ? long : sample;
  if (!/^[1-9]\d*$/.test(asked)) throw new Error(`CASES is ${asked}, which is no number of cases.`);
  return Number(asked);
}
