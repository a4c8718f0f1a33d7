import { afterEach, beforeAll, expect, it } from "vitest";
import { QUIRKS } from "#sandbox/quirks/queue-quirks.ts";
import { ENDINGS, loadScreens, STEPS } from "./endings.ts";
import { mainStory } from "./main-story.ts";
import { type Visit, visitService } from "./visit.tsx";

beforeAll(async () => {
  await loadScreens();
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
});

let visit: Visit | undefined;
afterEach(() => visit?.leave());

// A rejection that nobody handles fails the run: Vitest counts it as an error.
it.each(QUIRKS.map(({ name }) => [name, ENDINGS[name]?.sentence ?? "Every step ends plainly."]))(
  "%s: %s",
  async (name = "") => {
    const { expectedWords = {}, last } = ENDINGS[name] ?? {};
    visit = await visitService([name]);
    const done = await mainStory(visit, expectedWords, { last });
    expect(done).toEqual(last ? STEPS.slice(0, STEPS.indexOf(last) + 1) : STEPS);
  },
);

it("the table names only quirks that exist", () => {
  const names = QUIRKS.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(ENDINGS)));
});
