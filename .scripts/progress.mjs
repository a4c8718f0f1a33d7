// What a stage of tests prints while it runs: how far it is, and how long the rest takes at the same pace.

const EVERY_MS = 15_000;

/**
 * Prints at most every 15 s. `SECONDS_AFTERWARDS` is what the stages after this one are expected to take.
 * @param {string} what such as "unit tests"
 */
export function createProgress(what) {
  const startedAt = performance.now();
  const afterwards = Number(process.env.SECONDS_AFTERWARDS ?? 0);
  let total = 0;
  let done = 0;
  let work = 0;
  let workDone = 0;
  let failed = 0;
  let printedAt = startedAt;
  return {
    /**
     * @param {number} count how many there are in all
     * @param {number} [wholeWork] what they are as work, in the unit of `step`
     */
    begin(count, wholeWork = count) {
      total = count;
      work = wholeWork;
    },
    /**
     * One more is done.
     * @param {number} failures how many failures it brought
     * @param {number} [ofWork] its part of the work
     */
    step(failures, ofWork = 1) {
      done++;
      workDone += ofWork;
      failed += failures;
      const now = performance.now();
      if (now - printedAt < EVERY_MS || done === total) return;
      printedAt = now;
      const left = ((now - startedAt) / 1000 / workDone) * (work - workDone);
      const inAll = afterwards > 0 ? `, ${inWords(left + afterwards)} in all` : "";
      console.log(`   ${done} of ${total} ${what}, ${failed} failed, about ${inWords(left)} left${inAll}`);
    },
  };
}

/** @param {number} seconds */
export function inWords(seconds) {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
