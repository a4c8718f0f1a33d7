import { readFile } from "node:fs/promises";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** From a fresh page to the studio, connected to the sandbox. */
export async function openSandbox(page: Page, path = "/"): Promise<void> {
  await page.goto(path);
  await page.getByRole("button", { name: "Open sandbox" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

/** Opens the form of one model. */
export async function openModel(page: Page, id: string): Promise<void> {
  await openSandbox(page, `/create/${encodeURIComponent(id)}`);
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();
}

/** Presses Run once the exact price is on it. */
export async function run(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Run", exact: true });
  await expect(button).toContainText(/\$\d/);
  await expect(button).not.toHaveAttribute("aria-disabled", "true");
  await button.click();
}

/** Pastes a text into a box from the clipboard, as a person does who copied it in another tab. */
export async function paste(page: Page, box: Locator, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await box.waitFor();
  const other = await page.context().newPage();
  await other.goto("/connect");
  await other.evaluate((words) => navigator.clipboard.writeText(words), text);
  await other.close();
  await page.bringToFront();
  await box.click();
  await page.keyboard.press("ControlOrMeta+V");
}

/** Presses a button that downloads one file; its name and bytes. */
export async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** Width and height of a PNG, from its header; throws where the bytes are no PNG. */
export function pngSize(bytes: Buffer): { width: number; height: number } {
  expect(bytes.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Further tabs of the context get this tab's session, as a duplicated tab does. */
export async function sameSession(page: Page): Promise<void> {
  const session = await page.evaluate(() => Object.entries(sessionStorage));
  await page.context().addInitScript((entries) => {
    if (!location.protocol.startsWith("http")) return;
    for (const [name, value] of entries) sessionStorage.setItem(name, value);
  }, session);
}

/** Submits one job to the sandbox from outside the page; its id. */
export async function submitJob(request: APIRequestContext, model: string, prompt: string): Promise<string> {
  const answer = await request.post("/sandbox/api/v1/queue/apikey/requests", {
    headers: { Authorization: "Bearer sandbox-key" },
    data: { model, payload: { prompt } },
  });
  return (await answer.json()).request_id;
}

/** A whole PNG of one pixel. */
export const ONE_PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** Where a message is written in Playground. */
export const composer = (page: Page) => page.getByRole("textbox", { name: /^Message/ });
/** Chooses the endpoint of the active column, in the docked parameters. */
export const chooseEndpoint = (page: Page, name: "Messages" | "Responses" | "Completions") =>
  page.getByRole("radiogroup", { name: "Endpoint" }).getByRole("radio", { name }).check();

/** Sends a message in Playground. */
export async function ask(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}
