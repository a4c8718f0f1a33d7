import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { spellingsOf, watchCanary } from "./canary.ts";
import { expect } from "./fixtures.ts";
import { connectByKey, goTo, keyLine, test } from "./session-host.ts";
import { SESSION_SECRET } from "./start-host.ts";
import { download, run } from "./steps.ts";

/**
 * Files below a folder that hold one of these texts, in bytes or in the two-byte characters that browsers store. Rejects
 * where one cannot be read: whoever has written them has ended.
 */
async function filesWith(folder: string, texts: readonly string[]): Promise<{ files: number; found: string[] }> {
  const needles = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, "utf16le")]);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  const files = entries.filter((entry) => entry.isFile());
  for (const entry of files) {
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (needles.some((needle) => bytes.includes(needle))) found.push(entry.name);
  }
  return { files: files.length, found };
}

for (const [mode, hostEnvironment] of [
  ["in the host's memory", {}],
  ["sealed in a cookie", SESSION_SECRET],
] as const) {
  // In each of them once: what the host seals has tests of its own.
  test.describe(`a key ${mode}`, { tag: hostEnvironment === SESSION_SECRET ? "@long-key" : [] }, () => {
    test.use({ hostEnvironment });

    test("is in no file of the browser's profile or the host's after both have ended", async ({
      launchOptions,
      studio,
      service,
      canary,
      atEnd,
    }, info) => {
      const profile = await mkdtemp(join(tmpdir(), "safelight-profile-"));
      atEnd(() => rm(profile, { recursive: true, force: true }));
      const context = await chromium.launchPersistentContext(profile, {
        ...launchOptions,
        baseURL: studio.url,
        acceptDownloads: true,
      });
      atEnd(() => context.close());
      const watch = watchCanary(context, canary);
      const page = await context.newPage();
      await page.goto("/connect");
      await connectByKey(page, service.url, canary);
      // A mark of the story itself: what a browser does store is found.
      await page.goto("/create/lumen-2");
      await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A lighthouse that is found");
      await run(page);
      await expect(page.getByRole("region", { name: "Result" }).getByRole("img").first()).toBeVisible();
      await goTo(page, "Playground");
      await page.getByRole("textbox", { name: /^Message/ }).fill("Why do neap tides happen?");
      await page.getByRole("textbox", { name: /^Message/ }).press("Enter");
      await expect(page.getByText(/^[\d,]+ tokens$/)).toHaveCount(1);
      await page.goto("/settings");
      await download(page, () => page.getByRole("button", { name: "Export" }).click());
      await page.reload();
      await expect(keyLine(page, canary)).toBeVisible();
      expect(await watch.find(), "where the key was found").toEqual([]);
      await context.close();
      await studio.stop();
      const startedAt = performance.now();
      const mark = await filesWith(profile, ["A lighthouse that is found"]);
      const inProfile = await filesWith(profile, spellingsOf(canary));
      const atHost = await filesWith(studio.dataFolder, spellingsOf(canary));
      const tookMs = Math.round(performance.now() - startedAt);
      info.annotations.push({ type: "files", description: `${inProfile.files} and ${atHost.files} in ${tookMs} ms` });
      expect(mark.found.length, "the search finds what is stored").toBeGreaterThan(0);
      expect([inProfile.found, atHost.found]).toEqual([[], []]);
      expect(atHost.files).toBeGreaterThan(0);
    });
  });
}
