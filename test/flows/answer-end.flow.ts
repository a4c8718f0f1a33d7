import { expect, test } from "./fixtures.ts";
import { ask, chooseEndpoint, openSandbox } from "./steps.ts";

test.describe("an answer that ends", () => {
  test("Stop ends the request and keeps the partial answer over a reload", async ({ page }) => {
    await openSandbox(page, "/playground");
    const ended = page.waitForEvent("requestfailed", (request) => /\/v1\/messages$/.test(request.url()));
    await ask(page, "A slow answer tps:10 long:1000");
    await expect(page.getByText(/chunks$/)).toBeVisible();
    await expect(page.getByRole("list", { name: "Messages" })).toContainText("slow");
    await page.getByRole("button", { name: /^Stop/ }).click();
    // It would go on for 100 s.
    await ended;
    await expect(page.getByText("Partial answer kept. You may be charged for the full response.")).toBeVisible();
    const answer = page.getByRole("list", { name: "Messages" }).getByRole("listitem").last();
    const kept = await answer.innerText();
    await page.reload();
    await expect(page.getByText("Partial answer kept. You may be charged for the full response.")).toBeVisible();
    // Until it is laid out a message has no text of its own to tell.
    await expect.poll(() => answer.innerText()).toBe(kept);
    await page.getByRole("button", { name: "Request log", exact: true }).last().click();
    await expect(page.getByRole("textbox", { name: "Request" })).toHaveValue(/Bearer \[key\][\s\S]*A slow answer/);
    await expect(page.getByRole("textbox", { name: "Events" })).toHaveValue(/content_block_delta/);
  });

  // The fixtures fail it for a layout shift, too.
  test("what the reader opened, wrapped and selected stays", { tag: "@long-stories" }, async ({ page }) => {
    await openSandbox(page, "/playground?model=quill-2-ponder");
    await chooseEndpoint(page, "Responses");
    await ask(page, "Why do tides turn? tps:150 long:6000");
    const answer = page.locator("ol[aria-label=Messages] > li").last();
    const summary = answer.getByText(/^Reason(ing|ed)$/);
    await summary.click();
    const wrap = answer.getByRole("button", { name: "Wrap lines" }).first();
    await wrap.click();
    await answer.locator("p").nth(1).selectText();
    const selected = () => page.evaluate(() => document.getSelection()?.toString() ?? "");
    const words = await selected();
    expect(words.length).toBeGreaterThan(10);
    const parts = await answer.locator(".markdown, details").elementHandles();
    expect(parts).toHaveLength(3);
    await page.keyboard.press("Escape");
    await expect(page.getByText("Partial answer kept. You may be charged for the full response.")).toBeVisible();
    expect(await Promise.all(parts.map((part) => part.evaluate(({ isConnected }) => isConnected)))).toEqual(
      parts.map(() => true),
    );
    await expect(answer.locator("details").first()).toHaveAttribute("open", "");
    await expect(wrap).toHaveAttribute("aria-pressed", "true");
    await expect(answer.getByRole("group", { name: "Code, typescript" }).first()).toHaveCSS("white-space", "pre-wrap");
    expect(await selected()).toBe(words);
  });
});
