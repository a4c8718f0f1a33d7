import { chromium } from "@playwright/test";
import { chromiumArguments, findChromium } from "../.scripts/find-chromium.mjs";

/** Ends a step that hangs; a busy machine takes its time. */
export const LONGEST_STEP_MS = 120_000;

/** The path of an installed Chromium. */
export function chromiumPath() {
  const path = findChromium();
  if (!path) throw new Error("No Chromium was found. Set CHROMIUM_PATH.");
  return path;
}

/** A headless Chromium that does not slow pages down for being out of sight. */
export async function startBrowser() {
  const quiet = ["--headless=new", "--disable-renderer-backgrounding", "--disable-background-timer-throttling"];
  return chromium.launch({ executablePath: chromiumPath(), args: [...chromiumArguments, ...quiet] });
}
