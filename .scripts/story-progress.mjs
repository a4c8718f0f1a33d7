// A reporter for Playwright: progress, and each failure as soon as it is there.
import { createProgress } from "./progress.mjs";

/** @import { Reporter } from "@playwright/test/reporter" */

/** @implements {Reporter} */
export default class StoryProgress {
  #progress = createProgress("stories");

  /**
   * @param {import("@playwright/test/reporter").FullConfig} _config
   * @param {import("@playwright/test/reporter").Suite} suite
   */
  onBegin(_config, suite) {
    this.#progress.begin(suite.allTests().length);
  }

  /**
   * @param {import("@playwright/test/reporter").TestCase} story
   * @param {import("@playwright/test/reporter").TestResult} result
   */
  onTestEnd(story, result) {
    const hasFailed = result.status !== story.expectedStatus && result.status !== "skipped";
    if (hasFailed) {
      const title = story.titlePath().slice(1).join(" › ");
      console.log(`\n✘ ${title} (${(result.duration / 1000).toFixed(1)} s)`);
      for (const { message, value, snippet } of result.errors) {
        console.log(indent([message ?? value, snippet].filter(Boolean).join("\n")));
      }
      const folder = result.attachments.find(({ name }) => name === "requests")?.path;
      if (folder) console.log(indent(`Screenshot, text, console and requests: ${folder.replace(/[^/\\]*$/, "")}\n`));
    }
    this.#progress.step(hasFailed ? 1 : 0);
  }

  /** What belongs to no story, such as a build that fails before the first one. @param {import("@playwright/test/reporter").TestError} error */
  onError(error) {
    console.log(`\n✘ ${error.message ?? error.value}`);
  }

  printsToStdio() {
    return true;
  }
}

/** @param {string} text */
function indent(text) {
  return text.replace(/^/gm, "    ");
}
