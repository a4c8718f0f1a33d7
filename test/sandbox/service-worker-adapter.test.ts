import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";

it("the service worker in public/ is that of the installed msw", () => {
  const installed = createRequire(import.meta.url).resolve("msw/mockServiceWorker.js");
  expect(readFileSync("public/mockServiceWorker.js", "utf8")).toBe(readFileSync(installed, "utf8"));
});
