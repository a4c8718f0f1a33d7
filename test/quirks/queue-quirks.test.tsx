import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { QUIRKS } from "#sandbox/quirks/queue-quirks.ts";
import { type ExpectedWords, mainStory, type Step } from "./main-story.ts";
import { type Visit, visitService } from "./visit.tsx";

vi.setConfig({ testTimeout: 180_000 });

const NO_FILES: ExpectedWords = {
  image: /Finished without files.*See the whole answer/,
  video: /Finished without files.*See the whole answer/,
  delete: /Finished without a file/,
};

/** Quirks that change what a person sees. With every other quirk, also a new one, each step ends plainly. */
const ENDINGS: Record<string, { sentence: string; expectedWords: ExpectedWords; last?: Step }> = {
  "outcome-without-media": {
    sentence: "The job is done without a file and links to its answer.",
    expectedWords: NO_FILES,
  },
  "outcome-null-for-good": {
    sentence: "The job is done without a file.",
    expectedWords: NO_FILES,
  },
  "busy-submit": {
    sentence: "The list is read, no job is found, and Send again is offered.",
    expectedWords: { image: /No job was found.*only its bill is certain.*Send again for \$/ },
    last: "image",
  },
  "truncated-json": {
    sentence: "Connect says that the answers cannot be read.",
    expectedWords: { connect: /cannot be read/ },
    last: "connect",
  },
};

const STEPS: Step[] = ["connect", "image", "refusal", "video", "history", "job", "delete", "failed job"];

beforeAll(async () => {
  // The waits below are short, and the first import of the screens must not count.
  await Promise.all([
    import("#screens/connect/connect-screen.tsx"),
    import("#screens/create/create-screen.tsx"),
    import("#screens/create/result-panel.tsx"),
    import("#screens/history/history-screen.tsx"),
    import("#screens/job/job-screen.tsx"),
  ]);
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
});

let visit: Visit | undefined;
afterEach(() => visit?.leave());

// A rejection that nobody handles fails the run: Vitest counts it as an error.
it.each(QUIRKS.map(({ name }) => [name, ENDINGS[name]?.sentence ?? "Every step ends plainly."]))(
  "%s: %s",
  async (name = "") => {
    const { expectedWords = {}, last } = ENDINGS[name] ?? {};
    visit = visitService(name);
    const done = await mainStory(visit, expectedWords, last);
    expect(done).toEqual(last ? STEPS.slice(0, STEPS.indexOf(last) + 1) : STEPS);
  },
);

it("the table names only quirks that exist", () => {
  const names = QUIRKS.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(ENDINGS)));
});
