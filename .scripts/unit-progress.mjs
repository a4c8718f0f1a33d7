// A reporter for Vitest: progress alone. The failures are printed by its own reporters.
import { createProgress } from "./progress.mjs";

/** @import { Reporter } from "vitest/node" */

/** A file in jsdom takes about nine times as long as one in Node, and those come first. @param {string} project */
const workOf = (project) => (project === "dom" ? 9 : 1);

/** @implements {Reporter} */
export default class UnitProgress {
  #progress = createProgress("test files");

  /** @param {readonly import("vitest/node").TestSpecification[]} specifications */
  onTestRunStart(specifications) {
    const work = specifications.reduce((sum, { project }) => sum + workOf(project.name), 0);
    this.#progress.begin(specifications.length, work);
  }

  /** @param {import("vitest/node").TestModule} file */
  onTestModuleEnd(file) {
    const failures = file.ok() ? 0 : Math.max(1, [...file.children.allTests("failed")].length);
    this.#progress.step(failures, workOf(file.project.name));
  }
}
