import { expect } from "@playwright/test";
import type { Page } from "./page.ts";

/** From a fresh page to the studio, connected to the sandbox. */
export async function openSandbox(tab: Page, path = "/create/lumen-2"): Promise<void> {
  await tab.open(path);
  await tab.role("button", "Open the sandbox").click();
  await tab.role("navigation", "Main").seen();
}

/** Presses Run once the exact price is on it. */
export async function run(tab: Page): Promise<void> {
  const button = tab.role("button", /^Run/);
  await button.says(/\$\d/);
  await expect.poll(() => button.attribute("aria-disabled")).not.toBe("true");
  await button.click();
}

export const prompt = (tab: Page) => tab.role("textbox", "Prompt");
