import { expect, test } from "./fixtures.ts";
import type { Page } from "./page.ts";
import { composer, goTo, openSandbox, prompt, run } from "./steps.ts";

/** `SHOTS=1 npm run flows:engines -- looks` writes each as a picture into .shots/engines. */
const shots = process.env.SHOTS ? new URL("../../.shots/engines/", import.meta.url).pathname : undefined;

const SIZES = { desk: [1440, 900], phone: [390, 844] } as const;

const SCREENS: [name: string, visit: (tab: Page) => Promise<void>][] = [
  ["create", (tab) => tab.open("/create/lumen-2").then(() => prompt(tab).seen())],
  ["result", makePicture],
  ["form", (tab) => tab.open("/create/grainfield-edit").then(() => tab.role("textbox", "Instruction").seen())],
  ["history", (tab) => tab.open("/history").then(() => tab.text(/Terracotta rooftops/).seen())],
  [
    "date",
    (tab) =>
      tab
        .role("button", /^Date/)
        .click()
        .then(() => tab.label("To").seen()),
  ],
  ["palette", (tab) => tab.press("Control+k").then(() => tab.role("combobox", /Search/).seen())],
  ["job", openNewestJob],
  ["playground", ask],
  ["spend", (tab) => goTo(tab, "Spend").then(() => tab.role("heading", "Spend").seen())],
  ["settings", (tab) => goTo(tab, "Settings").then(() => tab.role("heading", "Settings").seen())],
];

async function makePicture(tab: Page): Promise<void> {
  await tab.open("/create/lumen-2");
  await prompt(tab).fill("Terracotta rooftops at noon, seen from the harbour wall");
  await run(tab);
  await tab
    .role("region", "Result")
    .role("img", /Terracotta rooftops/)
    .seen();
}

/** By a link of the studio: WebKit gives up the way to an address when the page changes its own in the same moment. */
async function openNewestJob(tab: Page): Promise<void> {
  await tab.press("Escape");
  await goTo(tab, "Spend");
  await tab.role("main").css('a[href*="/jobs/"]').at(0).click();
  await tab.role("img", /Terracotta rooftops/).seen();
}

async function ask(tab: Page): Promise<void> {
  await goTo(tab, "Playground");
  await composer(tab).fill("Why do neap tides happen? Give me a table. tps:2000");
  await tab.press("Enter");
  await tab.text(/^[\d,]+ tokens$/).seen();
}

/** Resolves when fonts have come, and the pictures in view. */
async function painted(tab: Page): Promise<void> {
  const isPainted = () =>
    tab.evaluate(() => {
      const inView = [...document.images].filter((image) => {
        const { top, bottom, width } = image.getBoundingClientRect();
        return width > 0 && bottom > 0 && top < innerHeight;
      });
      return document.fonts.status === "loaded" && inView.every((image) => image.complete);
    });
  await expect.poll(isPainted).toBe(true);
  await tab.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

for (const [size, [width, height]] of Object.entries(SIZES)) {
  for (const theme of ["Dark", "Light"]) {
    test(`every screen fits, ${size}, ${theme.toLowerCase()}`, async ({ tab }, info) => {
      const shoot = async (name: string) => {
        if (!shots) return;
        await painted(tab);
        await tab.shoot(`${shots}${info.project.name}-${name}-${theme.toLowerCase()}-${width}.png`);
      };
      await tab.tab.resize(width, height);
      await tab.open("/connect");
      await tab.role("button", "Open sandbox").seen();
      await shoot("connect");
      await openSandbox(tab, "/settings");
      await tab.role("radio", theme).click();
      for (const [name, visit] of SCREENS) {
        await visit(tab);
        await shoot(name);
        const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, name).toBeLessThanOrEqual(0);
      }
    });
  }
}
