import { defineConfig } from "@playwright/test";
import { findEngines } from "../../.scripts/find-engines.mjs";
import { LONGEST_WAIT_MS } from "./engine.ts";

// Playwright runs the stories; its own browsers stay out of it. `.scripts/engines.mjs` says which engine is missing.
export default defineConfig({
  testDir: ".",
  testMatch: "**/*.flow.ts",
  outputDir: "../../test-results/engines",
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  retries: 0,
  // A story that hangs still ends; a machine that does other work takes several times as long over the same.
  timeout: 900_000,
  expect: { timeout: LONGEST_WAIT_MS },
  reporter: [["list"]],
  projects: findEngines()
    .filter(({ missing }) => !missing)
    .map(({ name }) => ({ name })),
});
