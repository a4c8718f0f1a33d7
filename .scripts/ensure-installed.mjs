// Plain Node, nothing but node:*: this runs in a clone where nothing is installed yet.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runNpm } from "./run.mjs";

/** @typedef {Record<string, { version?: string, optional?: boolean, peer?: boolean }>} LockedPackages */

export const projectRoot = fileURLToPath(new URL("..", import.meta.url));

/** Ends the process with a sentence when Node is older than the packages can use. */
export function ensureNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Safelight needs Node.js 20.19 or newer. This is ${process.versions.node}.\n`);
  process.exit(1);
}

/**
 * True when every package of a folder's lock file stands in its node_modules in that version.
 * @param {string} folder
 */
function isInstalled(folder) {
  const installedPath = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(installedPath)) return false;
  /** @type {LockedPackages} */
  const wanted = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
  /** @type {LockedPackages} */
  const installed = JSON.parse(readFileSync(installedPath, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || entry.peer || installed[path]?.version === entry.version,
  );
}

/**
 * Installs a folder's packages from its lock file when something is missing. No package's script runs.
 * Development packages are needed even under NODE_ENV=production: the studio is built here.
 * @returns {Promise<boolean>} whether anything was installed
 */
export async function ensureInstalled(folder = projectRoot) {
  ensureNode();
  if (isInstalled(folder)) return false;
  process.stderr.write("Installing packages…\n");
  const npmArguments = ["ci", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  await runNpm(npmArguments, folder, "Installing the packages failed");
  return true;
}
