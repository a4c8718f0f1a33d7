import type { Page } from "@playwright/test";

/** Replaces the folder picker, which no test can operate, by the page's private folder. */
export async function giveFolder(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const pick = async () => {
      const root = await navigator.storage.getDirectory();
      return root.getDirectoryHandle("archive", { create: true });
    };
    Object.assign(window, { showDirectoryPicker: pick });
  });
}

/** What is in that folder. */
export function filesIn(page: Page): Promise<{ name: string; size: number; text: string }[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("archive", { create: true });
    const found: { name: string; size: number; text: string }[] = [];
    for await (const [name, handle] of folder as unknown as AsyncIterable<[string, FileSystemFileHandle]>) {
      // Undefined: a swap file (`<name>.crswap` in Chromium), which is in the folder until its writer is closed.
      const file = await handle.getFile().catch((error: DOMException) => {
        if (error.name !== "NotFoundError") throw error;
      });
      if (!file) continue;
      found.push({ name, size: file.size, text: /\.(json|txt)$/.test(name) ? await file.text() : "" });
    }
    return found;
  });
}
