import type { APIRequestContext, Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { findCovered, findCutTexts, findSideways, findSmallTargets } from "./reach.ts";
import { openSandbox, submitJob } from "./steps.ts";

const ARABIC = "قارب صغير في الضباب عند الفجر";

/** Every screen: its name, and how to get there from an open sandbox. */
const SCREENS: readonly { name: string; open: (page: Page, jobId: string) => Promise<unknown> }[] = [
  { name: "Create", open: (page) => page.goto("/create/lumen-2-pro") },
  { name: "job", open: (page, id) => page.goto(`/jobs/${id}`) },
  { name: "History", open: (page) => page.goto("/history") },
  { name: "table", open: (page) => page.goto("/history?view=table") },
  { name: "Playground", open: (page) => page.goto("/playground") },
  { name: "Spend", open: (page) => page.goto("/spend") },
  { name: "Settings", open: (page) => page.goto("/settings") },
];

/** Visits each screen in turn with a finished job in the list, and looks for wrongs there; those by screen. */
async function wrongsOnScreens(page: Page, request: APIRequestContext, find: (page: Page) => Promise<string[]>) {
  const jobId = await submitJob(request, "lumen-2-fast", ARABIC);
  const wrongs: Record<string, string[]> = {};
  const look = async (name: string) => {
    const found = await find(page);
    if (found.length > 0) wrongs[name] = found;
  };
  await page.goto("/connect");
  await expect(page.getByRole("button", { name: "Open sandbox" })).toBeVisible();
  await look("Connect");
  await openSandbox(page, "/create");
  for (const { name, open } of SCREENS) {
    await open(page, jobId);
    await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    await look(name);
  }
  return wrongs;
}

const inTurn =
  (...finds: ((page: Page) => Promise<string[]>)[]) =>
  async (page: Page) => {
    const found: string[] = [];
    for (const find of finds) found.push(...(await find(page)));
    return found;
  };

test.describe("for everybody", () => {
  test.use({ searchesHeap: false });

  test.describe("at 400 % zoom", () => {
    test.use({ viewport: { width: 320, height: 256 } });

    test("every control of every screen is reached and nothing scrolls sideways", {
      tag: "@long-accessibility",
    }, async ({ page, request }) => {
      const find = inTurn(findSideways, findCovered, (each) => findSmallTargets(each, 24));
      expect(await wrongsOnScreens(page, request, find)).toEqual({});
    });

    test("dialogs, menus and the palette fit", { tag: "@long-accessibility" }, async ({ page, request }) => {
      await submitJob(request, "lumen-2-fast", ARABIC);
      await openSandbox(page, "/create/lumen-2-pro");
      await page
        .getByRole("button", { name: /^Model|lumen-2-pro/ })
        .first()
        .click();
      const find = inTurn(findSideways, findCovered);
      expect(await find(page)).toEqual([]);
      await axe(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
      expect(await findSideways(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.goto("/settings");
      await page.getByRole("main").getByRole("button", { name: "Leave sandbox" }).click();
      expect(await find(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.goto("/history");
      await page.getByRole("button", { name: "Date range" }).click();
      const popup = page.getByRole("group", { name: "Date range" });
      const box = await popup.boundingBox();
      expect(box && box.y >= 0 && box.y + box.height <= 256 && box.x >= 0 && box.x + box.width <= 320).toBe(true);
    });
  });

  test.describe("on touch", () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

    test("every target has 44 px", { tag: "@long-accessibility" }, async ({ page, request }) => {
      const find = inTurn(findSideways, (each) => findSmallTargets(each, 44));
      expect(await wrongsOnScreens(page, request, find)).toEqual({});
    });
  });

  test.describe("on a phone on its side", () => {
    test.use({ viewport: { width: 667, height: 375 }, hasTouch: true, isMobile: true });

    test("every control of every screen is reached", { tag: "@long-accessibility" }, async ({ page, request }) => {
      expect(await wrongsOnScreens(page, request, inTurn(findSideways, findCovered))).toEqual({});
    });
  });

  test.describe("with other letters", () => {
    // They move the page, as they should.
    test.use({ watchesLayout: false });

    // WCAG 1.4.12 and 1.4.4.
    test("wider spacing and letters twice as large cut no text", { tag: "@long-accessibility" }, async ({
      page,
      request,
    }) => {
      const find = inTurn(
        async (each) => {
          await spaceOut(each);
          return findCutTexts(each);
        },
        findSideways,
        async (each) => {
          await doubleLetters(each);
          return findCutTexts(each);
        },
      );
      expect(await wrongsOnScreens(page, request, find)).toEqual({});
    });
  });
});

/** As a person's own style sheet does. Adopted, since the policy of the page refuses a style element. */
async function spaceOut(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }",
    );
    document.adoptedStyleSheets = [sheet];
  });
}

/** As a browser's own setting for larger letters does. */
async function doubleLetters(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
    const sizes = [...document.querySelectorAll<HTMLElement>("body *")].map(
      (element) => [element, Number.parseFloat(getComputedStyle(element).fontSize)] as const,
    );
    for (const [element, size] of sizes) element.style.fontSize = `${size * 2}px`;
  });
}
