import { expect } from "@playwright/test";
import type { Page } from "./page.ts";

/** From a fresh page to the studio, connected to the sandbox. */
export async function openSandbox(tab: Page, path = "/create/lumen-2"): Promise<void> {
  await tab.open(path);
  await tab.role("button", "Open sandbox").click();
  await tab.role("navigation", "Main").seen();
}

/** Types a key and the addresses of a sandbox as a person does, and waits until the studio has opened. */
export async function connectByKey(tab: Page, serviceUrl: string, key: string): Promise<void> {
  await tab.label(/^API key/).fill(key);
  await tab.label(/^Queue URL/).fill(`${serviceUrl}/sandbox/api/v1/queue`);
  await tab.label(/^Inference URL/).fill(`${serviceUrl}/sandbox`);
  await tab.role("button", "Connect").click();
  await tab.role("navigation", "Main").seen();
}

/** The line that says whose key the studio uses. */
export const keyLine = (tab: Page, key: string) => tab.text(new RegExp(`····${key.slice(-4)}`));

export const prompt = (tab: Page) => tab.role("textbox", "Prompt");
export const composer = (tab: Page) => tab.role("textbox", /^(Ask|Message)/);
export const result = (tab: Page) => tab.role("region", "Result");

/** Presses Run once the exact price is on it. */
export async function run(tab: Page): Promise<void> {
  const button = tab.role("button", /^Run/);
  await button.says(/\$\d/);
  await expect.poll(() => button.attribute("aria-disabled")).not.toBe("true");
  await button.click();
}

/** Opens a screen by its entry in the navigation. */
export const goTo = (tab: Page, screen: string) => tab.role("navigation", "Main").role("link", screen).click();

/** How many jobs a sandbox has, asked beside the browser. */
export async function jobsAt(serviceUrl: string, key = "sandbox-key"): Promise<{ model: string }[]> {
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(`${serviceUrl}/sandbox/api/v1/queue/apikey/requests`, { headers });
  return ((await answer.json()) as { requests: { model: string }[] }).requests;
}

/** Resolves when the picture is loaded and has the asked width. */
export async function loaded(picture: ReturnType<Page["css"]>): Promise<void> {
  await picture.seen();
  await expect.poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
}
