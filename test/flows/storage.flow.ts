import { expect, test } from "./fixtures.ts";
import { openSandbox, run } from "./steps.ts";

const prompt = { name: "Prompt", exact: true } as const;

test("P16 P18 P19 a held, deleted and newer database each end in a clear state, and nothing is lost", async ({
  page,
  context,
  faults,
}) => {
  faults.allow(/favicon\.ico/);
  // P19: an older page holds the database and ignores every request to let go.
  const older = await context.newPage();
  await older.goto("/favicon.svg");
  await older.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open("safelight", 1);
        opening.onsuccess = () => {
          Object.assign(window, { held: opening.result });
          resolve();
        };
      }),
  );
  await openSandbox(page, "/create/lumen-2-fast");
  await expect(page.getByText("Another tab holds an older version")).toBeVisible({ timeout: 2_000 });
  await older.close();
  await page.getByRole("button", { name: "Dismiss" }).first().click();

  // What follows happens to a browser with something to lose.
  await page.getByRole("textbox", prompt).fill("Moss garden");
  await run(page);
  await expect(page.getByRole("button", { name: "Download" }).first()).toBeVisible();
  await page.goto("/spend");
  await expect(page.getByText("the service accepted the submit")).toHaveCount(1);

  // P18 and P19: a newer studio takes the database over in another tab.
  const newer = await context.newPage();
  await newer.goto("/favicon.svg");
  const raise = () =>
    new Promise<void>((resolve) => {
      const opening = indexedDB.open("safelight", 99);
      opening.onsuccess = () => {
        opening.result.close();
        resolve();
      };
    });
  await newer.evaluate(raise);
  await expect(page.getByText("Safelight was updated in another tab")).toBeVisible({ timeout: 2_000 });
  await page.reload();
  await expect(page.getByText("This page is older than its data")).toBeVisible();
  await expect(page.getByText("the service accepted the submit")).toHaveCount(1);

  // P16: the browser, or the person, deletes it while the page is open.
  await newer.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const deleting = indexedDB.deleteDatabase("safelight");
        deleting.onsuccess = () => resolve();
        deleting.onblocked = () => console.log("waits for the other tab");
      }),
  );
  await page.goto("/history");
  await expect(page.getByRole("link", { name: /Moss garden/ }).first()).toBeVisible();
});

test("P20 where the browser denies all storage, the studio works and says that nothing is kept", async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ["indexedDB", "localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
    }
  });
  await openSandbox(page, "/create/lumen-2-fast");
  await expect(page.getByText("nothing is kept here", { exact: true })).toBeVisible();
  await expect(page.getByText("Nothing is kept in this window")).toBeVisible();
  await page.getByRole("textbox", prompt).fill("Moss garden");
  await run(page);
  await expect(page.getByText("Nothing can be kept on this device")).toBeVisible();
  await page.getByRole("button", { name: "Run all the same" }).click();
  await expect(page.getByRole("button", { name: "Download" }).first()).toBeVisible();
});
