import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { download, openSandbox, run } from "./steps.ts";

const PROMPT = "Canaryprompt over the harbour";

/** The job of the submit that is on the disk; undefined while none is. */
function storedSubmit(page: Page): Promise<string | undefined> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open("safelight");
        opening.onsuccess = () => {
          const reading = opening.result.transaction("requests").objectStore("requests").getAll();
          reading.onsuccess = () => {
            opening.result.close();
            const requests: Record<string, string>[] = reading.result.flatMap(({ body }) => body);
            resolve(requests.find(({ method, path }) => method === "POST" && path === "/apikey/requests")?.jobId);
          };
        };
      }),
  );
}

// What a person gives away to get help holds nothing that others must not have.
test("requests outlive a reload, and diagnostics of them hold no prompt and no id", async ({ page }) => {
  await openSandbox(page, "/create/lumen-2-fast");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill(PROMPT);
  await run(page);
  await expect.poll(() => storedSubmit(page)).toBeDefined();
  const id = (await storedSubmit(page)) ?? "";

  await page.goto("/settings");
  await page.getByRole("button", { name: "Show requests" }).click();
  await expect(page.getByRole("cell", { name: "POST /apikey/requests", exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Close", exact: true }).click();

  await page.getByRole("button", { name: "Save diagnostics" }).click();
  const text = page.getByRole("textbox", { name: "Diagnostics" });
  await expect(text).toHaveValue(/apikey\/requests/);
  const preview = await text.inputValue();
  const { name, bytes } = await download(page, () => page.getByRole("button", { name: "Save", exact: true }).click());
  expect(name).toMatch(/^safelight-diagnostics-\d{4}-\d\d-\d\d\.json$/);
  expect(bytes.toString("utf8")).toBe(preview);
  expect(preview).not.toContain("Canaryprompt");
  expect(preview).not.toContain(id);
  expect(JSON.parse(preview).requests).toContainEqual(
    expect.objectContaining({ method: "POST", path: "/apikey/requests", status: 200 }),
  );

  // The log of the job tells of them, too.
  await page.goto(`/jobs/${encodeURIComponent(id)}`);
  await page.getByRole("button", { name: "Request log" }).click();
  await expect(page.getByRole("region", { name: "Earlier requests" })).toContainText("POST /apikey/requests");
});

test("Settings leads to the texts of all licences", { tag: "@long-stories" }, async ({ page, context, faults }) => {
  // A page that is a text names no icon.
  faults.allow(/favicon\.ico/);
  await openSandbox(page, "/settings");
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "Third-party licenses" }).click();
  const licences = await opened;
  await licences.waitForLoadState();
  expect(new URL(licences.url()).pathname).toBe("/licences/third-party.txt");
  const text = licences.locator("body");
  for (const part of [
    "SIL OPEN FONT LICENSE Version 1.1",
    "Mozilla Public License Version 2.0",
    "GNU LESSER GENERAL PUBLIC LICENSE",
    "Redistribution and use in source and binary forms",
    "Permission to use, copy, modify, and/or distribute this software",
    "Permission is hereby granted, free of charge",
  ]) {
    await expect(text).toContainText(part);
  }
});
