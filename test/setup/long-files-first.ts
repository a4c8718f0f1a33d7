import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A file that takes half a minute and starts last runs alone on one processor. A fresh clone has no times to go by. */
const LONG =
  /(queue-personalities|text-personalities|simulation|code-samples|round-trip|playground-screen)\.test\.tsx?$/;

/** Starts the files that take longest first. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
