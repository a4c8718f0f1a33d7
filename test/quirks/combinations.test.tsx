import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { QUIRKS } from "#sandbox/quirks/queue-quirks.ts";
import { cases } from "../setup/cases.ts";
import { ENDINGS, loadScreens, STEPS } from "./endings.ts";
import { type ExpectedWords, mainStory } from "./main-story.ts";
import { type Visit, visitService } from "./visit.tsx";

vi.setConfig({ testTimeout: 180_000 });

/** A row of numbers below one that is always the same, so that a combination that fails can be played again. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Two to six quirks at once. Those after which nobody gets on are played alone (`queue-quirks.test.tsx`). */
function combinations(count: number): string[][] {
  const random = numbers(14);
  const next = () => random.next().value as number;
  const names = QUIRKS.map(({ name }) => name).filter((name) => ENDINGS[name]?.last === undefined);
  return Array.from({ length: count }, () => {
    const size = 2 + Math.floor(next() * 5);
    const chosen = new Set<string>();
    while (chosen.size < size) chosen.add(names[Math.floor(next() * names.length)] ?? "");
    return [...chosen];
  });
}

const NO_FILE = /File not found|Expired|Access denied|A web page, not the file|The storage failed|Empty file/;
/**
 * A file of unknown kind is looked at before it is shown, so the page learns what this page of tests, which loads no
 * picture, would not: that the storage does not give it.
 */
const REFUSED_FILES: ExpectedWords = { image: NO_FILE, video: NO_FILE };
const REFUSING = /^media-(gone|expired|as-page|refused|empty)/;

/** What any of the quirks says in place of a plain result. */
function wordsOf(quirks: readonly string[]): ExpectedWords {
  const words: ExpectedWords = {};
  for (const step of STEPS) {
    const endings = quirks.map((quirk) => (REFUSING.test(quirk) ? REFUSED_FILES : ENDINGS[quirk]?.expectedWords));
    const sources = endings.flatMap((ending) => ending?.[step]?.source ?? []);
    if (sources.length > 0) words[step] = new RegExp(sources.join("|"));
  }
  return words;
}

beforeAll(async () => {
  await loadScreens();
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
});

let visit: Visit | undefined;
afterEach(() => visit?.leave());

// `CASES` asks for more of them (test/README.md).
it.each(combinations(cases(10)).map((quirks) => [quirks.join(", "), quirks] as const))(
  "a service with %s goes through the whole story",
  async (_, quirks) => {
    visit = visitService(quirks);
    expect(await mainStory(visit, wordsOf(quirks), { isEither: true })).toEqual(STEPS);
  },
);
