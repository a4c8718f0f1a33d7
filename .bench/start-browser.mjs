import { chromium } from "@playwright/test";
import { chromiumArguments, findChromium } from "../.scripts/find-chromium.mjs";

/** A headless Chromium that does not slow pages down for being out of sight. */
export async function startBrowser() {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium was found. Set CHROMIUM_PATH.");
  const quiet = ["--headless=new", "--disable-renderer-backgrounding", "--disable-background-timer-throttling"];
  return chromium.launch({ executablePath, args: [...chromiumArguments, ...quiet] });
}
