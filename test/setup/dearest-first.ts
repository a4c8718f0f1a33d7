import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest, the dearest first. Vitest knows how long a file takes only where it has run before, and a fresh
 * clone has not: a dear file that is begun last runs alone, while the other workers have nothing left to do.
 */
const DEAREST: readonly string[] = [
  "test/faults/matrix.test.ts",
  "test/faults/pairs.test.ts",
  "test/quirks/page-quirks.test.tsx",
  "test/playground/playground-screen.test.tsx",
  "test/app/palette/command-palette.test.tsx",
  "test/batch/run-story.test.tsx",
  "test/batch/sheet/sheet-story.test.tsx",
  "test/create/run-and-result.test.tsx",
  "test/playground/messages/answer-end.test.tsx",
  "test/playground/messages/proposed-runs.test.tsx",
  "test/history/history-screen.test.tsx",
  "test/batch/sources/sources.test.tsx",
  "test/results/deletion/deleted-files.test.tsx",
  "test/batch/batch-screen.test.tsx",
  "test/quirks/queue-quirks.test.ts",
  "test/simulation/simulation.test.ts",
  "test/api/quirks.test.ts",
  "test/simulation/kill-points.test.ts",
  "test/runs/job-list/job-pages.test.ts",
  "test/connection/custody/sealed-key.test.ts",
  "test/api/samples/code-samples.test.ts",
  "test/api/text/text-readers.test.ts",
  "test/schema-form/read/hostile-listings.test.ts",
  "test/history/job-index/seen-jobs.test.ts",
  "test/host/crash/crash.test.ts",
  "test/sandbox/media/make-media.test.ts",
];

/** Project by project, so that files that share their modules follow each other; within one, the dearest first. */
export class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const at = DEAREST.findIndex((path) => moduleId.endsWith(path));
      return at === -1 ? DEAREST.length : at;
    };
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => rankOf(a) - rankOf(b)),
    );
  }
}
