import type { Page } from "@playwright/test";
import { exfiltrationPayloads, type Payload } from "./exfiltration-payloads.ts";
import { expect, settled, test } from "./fixtures.ts";
import { startHostileService, startSinkhole } from "./hostile-service.ts";

interface Rig {
  payloads: Payload[];
  /** What reached the sinkhole, connections included. */
  met: readonly string[];
  /** Expects that nothing left the page, nothing was opened, nothing ran, and no dialog came. */
  expectNothing(): Promise<void>;
}

/** A page connected to a service of which every word is hostile. */
async function openRig(page: Page, canary: string, atEnd: (end: () => unknown) => void): Promise<Rig> {
  const sinkhole = await startSinkhole();
  atEnd(() => sinkhole.stop());
  const payloads = exfiltrationPayloads(sinkhole.place);
  const service = await startHostileService(payloads);
  atEnd(() => service.stop());
  const events: string[] = [];
  page.on("dialog", (dialog) => {
    events.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on("page", (opened) => events.push(`a window: ${opened.url()}`));
  await page.goto("/connect");
  const { origin } = new URL(page.url());
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame() || new URL(frame.url()).origin !== origin) events.push(`went to ${frame.url()}`);
  });
  await page.getByLabel("API key").fill(canary);
  await page.getByLabel("Queue URL").fill(`${service.url}/q`);
  await page.getByLabel("Inference URL").fill(`${service.url}/i`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  return {
    payloads,
    met: sinkhole.met,
    async expectNothing() {
      // What would be asked for is asked for by now: the page is drawn, and has an answer that it asked for last.
      await settled(page);
      await page.evaluate(() => fetch("/healthz"));
      expect(await page.evaluate(() => Reflect.get(window, "__hit")), "scripts that ran").toBeUndefined();
      expect(events, "navigations, windows and dialogs").toEqual([]);
      expect(sinkhole.met, "what reached the sinkhole").toEqual([]);
    },
  };
}

/** The marks of payloads that the page shows now, or names for a screen reader. */
async function marksShown(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const named = [...document.querySelectorAll("[aria-label],[title],[placeholder],option")].flatMap((element) => [
      element.getAttribute("aria-label"),
      element.getAttribute("title"),
      element.getAttribute("placeholder"),
      element.textContent,
    ]);
    const texts: (string | null)[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode.nodeValue);
    return [...texts, ...named].join("\n").match(/\bp\d+\./g) ?? [];
  });
}

/** Scrolls whatever scrolls in front to its end, step by step, and gathers the marks that came by. */
async function scrollThrough(page: Page, seen: Set<string>): Promise<void> {
  for (let step = 0; step < 120; step += 1) {
    for (const mark of await marksShown(page)) seen.add(mark);
    const isOver = await page.evaluate(async () => {
      let moved = false;
      // Behind a dialog nobody scrolls.
      const front = document.querySelector('[role="dialog"]') ?? document;
      for (const element of front.querySelectorAll("*")) {
        const { overflowY } = getComputedStyle(element);
        if (overflowY !== "auto" && overflowY !== "scroll") continue;
        const before = element.scrollTop;
        element.scrollTop += Math.max(100, element.clientHeight * 0.8);
        moved ||= element.scrollTop > before;
      }
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return !moved;
    });
    if (isOver) return;
  }
}

// H1 to H5, H15, H17.
test.describe("300 payloads that try to reach another host", () => {
  test.use({ viewport: { width: 1280, height: 1600 } });

  let rig: Rig;
  test.beforeEach(async ({ page, canary, faults, atEnd }) => {
    // The browser's own line about each refusal of the service.
    faults.allow(/status of 40\d/);
    rig = await openRig(page, canary, atEnd);
    expect(rig.payloads.length).toBeGreaterThanOrEqual(300);
  });

  const everyMark = () => rig.payloads.map(({ mark }) => mark);

  test("in the answer of a text model reach nothing, and a click that names the host does", async ({ page }) => {
    await page.goto("/playground/messages?model=a-text-model");
    await page.getByRole("textbox", { name: "Message" }).fill("Say it");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const last = everyMark().at(-1) ?? "";
    await expect(page.getByText(last).first()).toBeAttached();
    const seen = new Set(await marksShown(page));
    expect(everyMark().filter((mark) => !seen.has(mark))).toEqual([]);
    await rig.expectNothing();

    // That the sinkhole can be reached at all, and that what reaches it is counted: a click that names the host.
    const at = rig.payloads.findIndex(({ text }, place) => place % 2 === 1 && /^http:\/\/\S+$/.test(text));
    await page.goto(`/jobs/job-${at}`);
    const load = page.getByRole("button", { name: /^Load from http:\/\/127\.0\.0\.1:\d+$/ });
    await expect(load).toBeVisible();
    await rig.expectNothing();
    await load.click();
    await expect.poll(() => rig.met.join()).toContain(`GET /p${at}?q=secret`);
    // It is a page that said it is a picture.
    await expect(page.getByText("A web page, not the file")).toBeVisible();
    expect(await page.evaluate(() => Reflect.get(window, "__hit"))).toBeUndefined();
  });

  test.describe("with all help open", () => {
    // It is opened by a script, out of sight, in groups of fields whose height the browser then remembers wrongly (0.25 when
    // they come into sight). A person opens what they see.
    test.use({ watchesLayout: false });

    test("in titles, help, options and defaults of a schema reach nothing", { tag: "@long-key" }, async ({ page }) => {
      await page.goto("/create/a-hostile-model");
      await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();
      const seen = new Set<string>();
      await scrollThrough(page, seen);
      await page.evaluate(() => {
        for (const button of document.querySelectorAll<HTMLElement>('button[aria-label^="About "]')) button.click();
      });
      await scrollThrough(page, seen);
      expect(everyMark().filter((mark) => !seen.has(mark))).toEqual([]);
      await rig.expectNothing();
    });
  });

  test("in names of models reach nothing", { tag: "@long-key" }, async ({ page }) => {
    await page.goto("/create");
    await page.getByRole("button", { name: /Model:/ }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    const seen = new Set<string>();
    await scrollThrough(page, seen);
    expect(everyMark().filter((mark) => !seen.has(mark))).toEqual([]);
    await rig.expectNothing();
  });

  test("in refusals of the service reach nothing", { tag: "@long-key" }, async ({ page }) => {
    await page.goto("/create/a-model-of-files");
    const again = page.getByRole("button", { name: "Try again" });
    await expect(again).toBeVisible();
    const seen = new Set<string>();
    for (let asked = 0; asked < rig.payloads.length && seen.size < rig.payloads.length; asked += 1) {
      const answered = page.waitForResponse(/\/estimate$/);
      await again.click();
      await answered;
      await expect(again).toBeVisible();
      for (const mark of await marksShown(page)) seen.add(mark);
    }
    expect(everyMark().filter((mark) => !seen.has(mark))).toEqual([]);
    await rig.expectNothing();
  });

  test("in names of files reach nothing", { tag: "@long-key" }, async ({ page }) => {
    await page.goto("/create/a-model-of-files");
    await expect(page.locator('input[type="file"]').first()).toBeAttached();
    const names = rig.payloads.map(({ mark, text }) => `${mark} ${text}`);
    const seen = await page.evaluate(async (all) => {
      const marks: string[] = [];
      const until = async (isThere: () => boolean | undefined) => {
        for (let frame = 0; frame < 100 && !isThere(); frame += 1) await new Promise(requestAnimationFrame);
      };
      for (const name of all) {
        document.querySelector<HTMLElement>('button[aria-label^="Clear"]')?.click();
        await until(() => document.querySelector('input[type="file"]') !== null);
        const input = document.querySelector<HTMLInputElement>('input[type="file"]');
        const chosen = new DataTransfer();
        chosen.items.add(new File(["\u0089PNG"], name, { type: "image/png" }));
        if (input) input.files = chosen.files;
        input?.dispatchEvent(new Event("change", { bubbles: true }));
        const mark = name.split(" ", 1)[0] ?? "";
        await until(() => document.body.textContent?.includes(`${mark} `));
        if (document.body.textContent?.includes(`${mark} `)) marks.push(mark);
      }
      return marks;
    }, names);
    expect(everyMark().filter((mark) => !seen.includes(mark))).toEqual([]);
    await rig.expectNothing();
  });

  test("in jobs, their outcomes, prompts and models reach nothing", { tag: "@long-key" }, async ({ page }) => {
    await page.goto("/history");
    await expect(page.getByRole("grid", { name: "Jobs" }).getByRole("link").first()).toBeAttached();
    const seen = new Set<string>();
    // Older jobs are loaded when the list has come to its end.
    await expect(async () => {
      await scrollThrough(page, seen);
      expect(everyMark().filter((mark) => !seen.has(mark))).toEqual([]);
    }).toPass();
    for (let at = 0; at < 12; at += 1) {
      await page.goto(`/jobs/job-${at}`);
      await expect(page.getByText(`p${at}.`).first()).toBeAttached();
    }
    await rig.expectNothing();
  });
});
