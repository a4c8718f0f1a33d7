import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { openSandbox, run, submitJob } from "./steps.ts";

declare global {
  interface Window {
    /** What live regions were given to read out, in order. */
    announced: string[];
  }
}

/** Notes what changes in live regions from now on, as a screen reader would read it out. */
async function listen(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.announced = [];
    const live = "[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]";
    new MutationObserver((records) => {
      for (const { target, addedNodes, type } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(live);
        const added = [...addedNodes].flatMap((node) => (node instanceof Element ? [node] : []));
        // A region that arrives with its text is read out only where it is an alert.
        const alerts = added
          .flatMap((node) => [node, ...node.querySelectorAll("*")])
          .filter((node) => node.matches("[role=alert]"));
        const text = type === "characterData" || addedNodes.length > 0 ? region?.textContent : "";
        for (const each of [text, ...alerts.map((node) => node.textContent)])
          if (each?.trim()) window.announced.push(each.trim());
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

test.describe("with a screen reader", () => {
  test.use({ searchesHeap: false });

  test("Connect is a form of named fields with a way to the sandbox beside it", { tag: "@long-accessibility" }, async ({
    page,
  }) => {
    await page.goto("/connect");
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`
      - main:
        - heading "Connect your service" [level=1]
        - form "Connect your service":
          - textbox /Paste a URL/
          - textbox "API key"
          - button "Show key"
          - textbox "Queue URL"
          - textbox "Inference URL"
          - button "Connect"
        - complementary:
          - region "Sandbox":
            - heading "No API key?" [level=2]
            - button "Open sandbox"
    `);
    await listen(page);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    const field = page.getByRole("textbox", { name: "API key" }).or(page.getByRole("textbox", { name: "Queue URL" }));
    await expect(field.and(page.locator("[aria-invalid=true]")).first()).toHaveAccessibleDescription(/\w/);
  });

  test("Create names its parts; a run is said to be done once, and its seconds never", {
    tag: "@long-accessibility",
  }, async ({ page }) => {
    await openSandbox(page, "/create/lumen-2-fast");
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`
      - main:
        - heading "Create" [level=1]
        - region "Inputs":
          - 'button /Model: lumen-2-fast/'
          - textbox "Prompt"
          - radiogroup "Size":
            - radio "1024x1024" [checked]
          - switch "Add watermark"
          - button "Run"
        - region "Result"
        - region "Recent jobs"
    `);
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A stone bridge");
    await expect(page.getByRole("button", { name: "Run", exact: true })).not.toHaveAttribute("aria-disabled", "true");
    await listen(page);
    await run(page);
    await expect(
      page
        .getByRole("region", { name: "Result" })
        .getByRole("img", { name: /A stone bridge/ })
        .first(),
    ).toBeVisible();
    const ends = () => page.evaluate(() => window.announced.filter((text) => /^Done/.test(text)));
    await expect.poll(ends).toEqual(["Done: A stone bridge"]);
    const announced = await page.evaluate(() => window.announced);
    expect(announced.filter((text) => /\d:\d\d|\d s\b/.test(text))).toEqual([]);
    await expect(page.getByRole("region", { name: "Recent jobs" }).getByRole("listitem")).toHaveCount(1);
  });

  test("a job has its prompt as heading, its status as a word, its facts as a list", {
    tag: "@long-accessibility",
  }, async ({ page, request }) => {
    const id = await submitJob(request, "lumen-2-fast", "A paper boat");
    await openSandbox(page, `/jobs/${id}`);
    await expect(page.getByRole("img", { name: /A paper boat/ })).toBeVisible();
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`
      - main:
        - text: Done
        - heading "A paper boat" [level=1]
        - button "Download"
        - button "Delete files"
        - region "Result":
          - figure:
            - img "A paper boat"
          - term: Model
          - definition: lumen-2-fast
    `);
  });

  test("History is a grid of named jobs, the viewer a dialog with a place among them", {
    tag: "@long-accessibility",
  }, async ({ page, request }) => {
    await submitJob(request, "lumen-2-fast", "A paper boat");
    await submitJob(request, "lumen-2", "fail:moderation A storm");
    await openSandbox(page, "/history");
    await expect(page.getByRole("gridcell", { name: /Failed .*A storm .*Refunded/ })).toBeVisible();
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`
      - main:
        - heading "History" [level=1]
        - search:
          - searchbox "Search jobs"
        - toolbar "Filters"
        - radiogroup "View":
          - radio "Grid" [checked]
          - radio "Table"
        - grid "Jobs":
          - rowgroup:
            - row /Today/
            - row /A paper boat, Done/
            - row /Failed .*A storm/
    `);
    await page.getByRole("grid", { name: "Jobs" }).focus();
    await page.keyboard.press("Space");
    await expect(page.getByRole("gridcell", { selected: true })).toHaveCount(1);
    await expect(page.getByRole("status").filter({ hasText: "1 selected" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toMatchAriaSnapshot(`
      - dialog:
        - status: /1 of 2/
        - button "Star"
        - button "Details"
        - button "Close"
        - navigation "Filmstrip"
    `);
  });

  test("Playground reads an answer out once, when it is over", { tag: "@long-accessibility" }, async ({ page }) => {
    await openSandbox(page, "/playground");
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`
      - main:
        - complementary "Chats":
          - heading "Chats" [level=2]
          - searchbox "Search chats"
        - heading "New chat" [level=1]
        - region /Column 1/:
          - heading /Column 1/ [level=2]
        - region "New message":
          - textbox "Message"
          - button "Send"
        - complementary "Parameters":
          - heading "Parameters" [level=2]
          - radiogroup "Endpoint"
          - button /Model/
        - status "Responses"
    `);
    await listen(page);
    const message = page.getByRole("textbox", { name: /^Message/ });
    await message.fill("Two words, please. tps:500");
    await message.press("Enter");
    await expect(page.getByRole("status", { name: "Responses" })).toContainText("responded:");
    const announced = await page.evaluate(() => window.announced);
    expect(announced.filter((text) => text.includes("responded:"))).toHaveLength(1);
    expect(announced.length).toBeLessThan(5);
    await expect(page.getByRole("list", { name: "Messages" }).getByRole("listitem").first()).toBeVisible();
  });

  test("Spend and Settings are named groups under one heading each", { tag: "@long-accessibility" }, async ({
    page,
  }) => {
    await openSandbox(page, "/spend");
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`
      - main:
        - heading "Spend" [level=1]
        - radiogroup "Time":
          - radio "30 days" [checked]
        - button "Export transactions as CSV" [disabled]
        - region "Limits":
          - heading "Limits" [level=2]
          - textbox "Limit per run"
          - button "Save limits"
    `);
    await listen(page);
    await page.getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeFocused();
    await expect.poll(() => page.evaluate(() => window.announced)).toContain("Settings");
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`
      - main:
        - heading "Settings" [level=1]
        - region "Theme":
          - radiogroup "Theme":
            - radio "System" [checked]
        - region "Downloads":
          - textbox "File names"
        - region "Connection":
          - term: Queue URL
          - definition
        - region "Local data":
          - button "Export"
    `);
  });
});
