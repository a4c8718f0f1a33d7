// A reporter for Vitest: progress alone. The failures are printed by its own reporters.
import { createProgress } from "./progress.mjs";

/** @import { Reporter } from "vitest/node" */

/** @implements {Reporter} */
export default class UnitProgress {
  #progress = createProgress("test files");

  /** @param {readonly import("vitest/node").TestSpecification[]} specifications */
  onTestRunStart(specifications) {
    this.#progress.begin(specifications.length);
  }

  /** @param {import("vitest/node").TestModule} file */
  onTestModuleEnd(file) {
    this.#progress.step(file.ok() ? 0 : Math.max(1, [...file.children.allTests("failed")].length));
  }
}
