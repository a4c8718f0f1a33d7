import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { QUIRKS } from "#sandbox/quirks/queue-quirks.ts";
import { mainStory, type Step, type Told } from "./main-story.ts";
import { type Visit, visitService } from "./visit.tsx";

vi.setConfig({ testTimeout: 180_000 });

const NO_FILES: Told = {
  image: /Finished without files.*See the whole answer/,
  video: /Finished without files.*See the whole answer/,
  delete: /Finished without a file/,
};

/** Where a way of answering changes what a person sees; every other, also one added later, passes each step plainly. */
const ENDINGS: Record<string, { sentence: string; told: Told; last?: Step }> = {
  "outcome-without-media": {
    sentence: "The job is done and has no file to show or delete; its whole answer is a link away.",
    told: NO_FILES,
  },
  "outcome-null-for-good": {
    sentence: "The job is done, and an outcome of null reads as no file.",
    told: NO_FILES,
  },
  "busy-submit": {
    sentence:
      "Not the service's own error body, so it proves nothing: the list is read, no job found, and Send again offered.",
    told: { image: /The service has no job for this.*you were not charged.*Send again for \$/ },
    last: "image",
  },
  "truncated-json": {
    sentence: "Connect says that the answers cannot be read; nobody gets further.",
    told: { connect: /cannot be read/ },
    last: "connect",
  },
};

const STEPS: Step[] = ["connect", "image", "refusal", "video", "history", "job", "delete", "failed job"];

beforeAll(async () => {
  // The waits below are short; reading the screens' files for the first time is not what they measure.
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
it.each(QUIRKS.map(({ name }) => [name, ENDINGS[name]?.sentence ?? "The whole story passes plainly."]))(
  "%s: %s",
  async (name = "") => {
    const { told = {}, last } = ENDINGS[name] ?? {};
    visit = visitService(name);
    const done = await mainStory(visit, told, last);
    expect(done).toEqual(last ? STEPS.slice(0, STEPS.indexOf(last) + 1) : STEPS);
  },
);

it("the table names no quirk that is gone", () => {
  const names = QUIRKS.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(ENDINGS)));
});
