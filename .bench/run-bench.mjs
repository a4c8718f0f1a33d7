import { parseArgs } from "node:util";

/**
 * @typedef {object} BenchRun what a bench measures with
 * @property {number} rounds
 * @property {boolean} isShort one short round: whether the bench runs, and in which direction
 * @property {(name: string) => string | undefined} option what was asked for
 * @property {(name: string, usual: number) => number} number the same as a number
 * @property {(name: string, all: readonly string[]) => string[]} names those of `all` that were asked for, or all of them
 * @property {(what: string) => void} doing notes what it is about to do, such as "measuring History"
 * @property {(holds: boolean, text: string) => void} target a bound on time or memory; one short round does not judge it
 * @property {(holds: boolean, text: string) => void} must what holds on any machine
 */

/**
 * Runs a bench. It ends within its limit, and says in a sentence what kept it from its end. The exit code is 1 where
 * something that must hold does not, and, except for one short round, where a target was missed.
 * @param {object} bench
 * @param {string} bench.name
 * @param {number} bench.rounds as many as its targets are made for
 * @param {{ whole: number, short: number }} bench.minutes its limits: those that end what hangs
 * @param {string[]} [bench.options] besides `--rounds`
 * @param {(run: BenchRun) => Promise<void>} measure
 */
export async function runBench({ name, rounds: usualRounds, minutes, options = [] }, measure) {
  const given = readOptions(name, ["rounds", ...options]);
  const number = readNumber(name, given);
  const rounds = number("rounds", usualRounds);
  const isShort = rounds === 1;
  const limit = isShort ? minutes.short : minutes.whole;
  let activity = "beginning";
  console.log(`  ${isShort ? "one short round" : `${rounds} rounds`}; it ends within ${limit} minutes`);
  const timer = setTimeout(
    () => end(`${name} did not end within ${limit} minutes: it was still ${activity}.`),
    limit * 60_000,
  );
  let missed = 0;
  try {
    await measure({
      rounds,
      isShort,
      option: (option) => given[option],
      number,
      names: (option, all) => readNames(name, option, given[option], all),
      doing: (what) => {
        activity = what;
      },
      target(holds, text) {
        console.log(`  ${holds ? "holds " : "MISSED"} ${text}`);
        if (!holds) missed += 1;
      },
      must(holds, text) {
        console.log(`  ${holds ? "holds " : "FAILED"} ${text}`);
        if (!holds) process.exitCode = 1;
      },
    });
  } catch (error) {
    end(`${name} did not come to its end while it was ${activity}: ${sentenceOf(error)}`);
  }
  clearTimeout(timer);
  if (missed > 0 && isShort) console.log(`  What one short round misses does not count (${missed}).`);
  else if (missed > 0) process.exitCode = 1;
  process.exit();
}

/**
 * What `work` gives, or its failure in words, also where it does not end.
 * @template Result
 * @param {number} seconds
 * @param {string} failure such as "the page did not open"
 * @param {Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function within(seconds, failure, work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${failure} within ${seconds} s.`)), seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The processes that a bench started end with this one.
 * @param {string} sentence
 * @returns {never}
 */
function end(sentence) {
  console.error(`  ${sentence}`);
  process.exit(1);
}

/** @param {unknown} error */
function sentenceOf(error) {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  const text = line.replace(/^(\w+\.\w+: )?(\w*Error: )?/, "").trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * @param {string} name
 * @param {string[]} known
 * @returns {Record<string, string | undefined>}
 */
function readOptions(name, known) {
  try {
    const options = Object.fromEntries(known.map((option) => [option, { type: /** @type {const} */ ("string") }]));
    return parseArgs({ options }).values;
  } catch {
    const words = process.argv.slice(2).join(" ");
    console.error(`  ${name} cannot read "${words}". Its options: ${known.map((option) => `--${option}=…`).join(" ")}`);
    process.exit(2);
  }
}

/**
 * @param {string} name
 * @param {Record<string, string | undefined>} given
 * @returns {(option: string, usual: number) => number}
 */
function readNumber(name, given) {
  return (option, usual) => {
    const value = given[option] === undefined ? usual : Number(given[option]);
    if (Number.isSafeInteger(value) && value > 0) return value;
    console.error(`  ${name} takes a whole number as --${option}, and not "${given[option]}".`);
    process.exit(2);
  };
}

/**
 * @param {string} name
 * @param {string} option
 * @param {string | undefined} asked
 * @param {readonly string[]} all
 */
function readNames(name, option, asked, all) {
  const names = asked?.split(",") ?? all;
  const unknown = names.filter((one) => !all.includes(one));
  if (unknown.length === 0) return [...names];
  console.error(`  ${name} has no ${unknown.join(", ")} for --${option}, but ${all.join(", ")}.`);
  process.exit(2);
}
