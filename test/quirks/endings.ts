import type { ExpectedWords, Step } from "./main-story.ts";

const NO_FILES: ExpectedWords = {
  image: /The job finished but returned no files.*View raw response/,
  video: /The job finished but returned no files.*View raw response/,
  delete: /The job finished but returned no files/,
};

/** A refusal that is no JSON may be a gateway's. */
const UNCERTAIN_REFUSAL: ExpectedWords = {
  refusal: /It may come from a gateway.*You may have been charged\./,
};

/** Quirks that change what a person sees. With every other quirk, also a new one, each step ends plainly. */
export const ENDINGS: Record<string, { sentence: string; expectedWords: ExpectedWords; last?: Step }> = {
  "outcome-without-media": {
    sentence: "The job is done without a file and links to its answer.",
    expectedWords: NO_FILES,
  },
  "outcome-null-for-good": {
    sentence: "The job is done without a file.",
    expectedWords: NO_FILES,
  },
  "busy-submit": {
    sentence: "The list is read, no job is found, and another run is offered.",
    expectedWords: { image: /No job found.*Check the service’s bill to be sure.*Run again for \$/ },
    last: "image",
  },
  "error-text": {
    sentence: "What is refused is called unconfirmed.",
    expectedWords: UNCERTAIN_REFUSAL,
  },
  "error-html": {
    sentence: "What is refused is called unconfirmed.",
    expectedWords: UNCERTAIN_REFUSAL,
  },
  "truncated-json": {
    sentence: "Connect says that the answers cannot be read.",
    expectedWords: { connect: /Unreadable response/ },
    last: "connect",
  },
};

export const STEPS: readonly Step[] = [
  "connect",
  "image",
  "refusal",
  "video",
  "history",
  "job",
  "delete",
  "failed job",
];

/** The screens of the story. The waits in it are short, and the first import must not count. */
export async function loadScreens(): Promise<void> {
  await Promise.all([
    import("#connect/connect-screen.tsx"),
    import("#connect/check-results.tsx"),
    import("#create/create-screen.tsx"),
    import("#create/result-stage.tsx"),
    import("#history/history-screen.tsx"),
    import("#job/job-screen.tsx"),
  ]);
}
