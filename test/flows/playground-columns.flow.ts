import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { ask, composer, openSandbox } from "./steps.ts";

const measured = (page: Page) => page.getByText(/^[\d,]+ tokens$/);

test.describe("the columns of the playground", () => {
  test("three columns go on with one conversation, stopped, branched, reloaded, by address", async ({ page }) => {
    await openSandbox(page, "/playground");
    await ask(page, "Why do neap tides happen? tps:2000 long:40");
    await expect(measured(page)).toHaveCount(1);
    await expect(page).toHaveURL(/\/playground\/[0-9a-f]{32}$/);
    await expect(page).toHaveTitle(/^Why do neap tides happen/);
    const address = page.url();
    for (const count of [2, 3]) {
      await page.getByRole("button", { name: "Add column" }).click();
      await expect(page.getByRole("region", { name: /^Column \d/ })).toHaveCount(count);
    }
    // Each begins with the same messages, which are not measured, and so not charged, again.
    await expect(page.getByText("Copied from another column")).toHaveCount(2);
    await ask(page, "And in spring? tps:10 long:1000");
    await expect(page.getByText(/chunks$/)).toHaveCount(3);
    await page.keyboard.press("Escape");
    await expect(page.getByText("Partial answer kept. You may be charged for the full response.")).toHaveCount(3);
    const first = page.getByRole("region", { name: /^Column 1/ });
    await first.getByRole("button", { name: "Edit" }).first().click();
    await first.getByRole("textbox", { name: "Edit your message" }).fill("Why is the range small? tps:2000 long:40");
    await first.getByRole("button", { name: "Save and send" }).click();
    await expect(first.getByText("2 / 2")).toBeVisible();
    await axe(page);

    await page.getByRole("button", { name: "Show conversations" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "New conversation" }).click();
    await expect(page).toHaveURL(/\/playground$/);
    await page.goBack();
    await expect(page).toHaveURL(address);
    await expect(page.getByRole("region", { name: /^Column \d/ })).toHaveCount(3);
    await page.goto(address);
    await expect(page.getByRole("region", { name: /^Column 1/ }).getByText("2 / 2")).toBeVisible();
    await expect(page.getByText("Partial answer kept. You may be charged for the full response.")).toHaveCount(2);
    await page.goto(`${address.slice(0, -4)}0000`);
    await expect(page.getByText("This conversation is not in this browser")).toBeVisible();
    await axe(page);
    await page.getByRole("link", { name: /^Why do neap tides happen/ }).click();
    await expect(page).toHaveURL(address);
  });

  test("columns are compared blind: names appear with the vote, which is counted", { tag: "@long-stories" }, async ({
    page,
  }) => {
    await openSandbox(page, "/playground");
    await page.getByRole("button", { name: "Add column" }).click();
    await ask(page, "Two words tps:2000 long:20");
    await expect(measured(page)).toHaveCount(2);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: /^Compare blind/ }).click();
    await expect(page.getByText("Which answer is better?")).toBeVisible();
    await expect(page.getByRole("main").getByText(/quill/)).toHaveCount(0);
    await expect(measured(page)).toHaveCount(0);
    await page.reload();
    await expect(page.getByText("Which answer is better?")).toBeVisible();
    await axe(page);
    await page.getByRole("button", { name: "B is better" }).click();
    await expect(measured(page)).toHaveCount(2);
    await page.getByRole("button", { name: "Scoreboard" }).click();
    await expect(page.getByRole("row", { name: /^quill-2 1 0 0 0$/ })).toBeVisible();
  });

  test("a snippet with a variable is saved, filled in and inserted with a slash", { tag: "@long-stories" }, async ({
    page,
  }) => {
    await openSandbox(page, "/playground");
    await composer(page).fill("Explain {{topic}} in two sentences.");
    await page.getByRole("button", { name: "Save the message as snippet" }).click();
    await page.getByRole("textbox", { name: "Snippet name" }).fill("Explain");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
    await composer(page).fill("");
    await composer(page).press("/");
    await page.getByRole("button", { name: /^Explain Explain/ }).click();
    await page.getByRole("textbox", { name: "topic" }).fill("tides");
    await page.getByRole("button", { name: "Insert", exact: true }).click();
    await expect(composer(page)).toHaveValue("Explain tides in two sentences.");
    await expect(composer(page)).toBeFocused();
  });
});
