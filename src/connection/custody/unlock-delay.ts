const FREE_TRIES = 2;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;

/**
 * How long nothing is tried after so many wrong passphrases in a row, in ms: nothing after the first two, then 5 s,
 * doubling up to an hour.
 */
export function waitAfter(wrongTries: number): number {
  if (!(wrongTries > FREE_TRIES)) return 0;
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(wrongTries - FREE_TRIES - 1, 30), LONGEST_WAIT_MS);
}
