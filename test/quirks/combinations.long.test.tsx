import { afterEach, beforeAll, expect, it } from "vitest";
import { cases } from "../setup/cases.ts";
import { combinations } from "./combinations.ts";
import { ENDINGS, loadScreens, STEPS } from "./endings.ts";
import { type ExpectedWords, mainStory } from "./main-story.ts";
import { type Visit, visitService } from "./visit.tsx";

const NO_FILE = /File not found|Expired|Access denied|A web page, not the file|Couldn’t load the file|Empty file/;
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
it.each(combinations(cases(10, 60)).map((quirks) => [quirks.join(", "), quirks] as const))(
  "a service with %s goes through the whole story",
  async (_, quirks) => {
    visit = await visitService(quirks);
    expect(await mainStory(visit, wordsOf(quirks), { isEither: true })).toEqual(STEPS);
  },
);
