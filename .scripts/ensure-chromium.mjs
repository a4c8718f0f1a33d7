import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findChromium } from "./find-chromium.mjs";

/**
 * The Chromium for the browser tests: an installed one, Playwright's own download, or one of Debian's packages (as root).
 * @returns {Promise<string>} its path; rejects with a sentence when there is none
 */
export async function ensureChromium() {
  const { chromium } = await import("@playwright/test");
  const installed = findChromium() ?? "";
  if (process.env.CHROMIUM_PATH && !runs(installed)) {
    throw new Error(`CHROMIUM_PATH is ${installed}, which does not start.`);
  }
  if (runs(installed)) return installed;
  if (runs(chromium.executablePath())) return chromium.executablePath();
  process.stderr.write("No Chromium found. Downloading Playwright’s…\n");
  run(process.execPath, ["node_modules/@playwright/test/cli.js", "install", "chromium"]);
  if (runs(chromium.executablePath())) return chromium.executablePath();
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    process.stderr.write("Installing Debian’s Chromium…\n");
    run("apt-get", ["update", "-qq"]);
    // An older Debian has no shell.
    for (const name of ["chromium-headless-shell", "chromium"]) {
      run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name]);
      const fresh = findChromium();
      if (fresh && runs(fresh)) return fresh;
    }
  }
  throw new Error("No Chromium found, and none could be installed. Set CHROMIUM_PATH to a Chromium or Chrome.");
}

/** @param {string} path */
function runs(path) {
  if (!existsSync(path)) return false;
  // Chrome on Windows does not answer --version, it opens a window.
  return (
    process.platform === "win32" || spawnSync(path, ["--version"], { stdio: "ignore", timeout: 30_000 }).status === 0
  );
}

/**
 * @param {string} command
 * @param {string[]} commandArguments
 */
function run(command, commandArguments) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync(command, commandArguments, { stdio: ["ignore", 2, 2], env, timeout: 300_000 });
}
