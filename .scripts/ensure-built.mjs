import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./ensure-installed.mjs";
import { writeReleaseFiles } from "./release-files.mjs";
import { runQuietly } from "./run.mjs";

const INPUTS = [
  "src",
  "public",
  "index.html",
  "vite.config.ts",
  ".build",
  ".scripts/release-files.mjs",
  "LICENSE",
  "package.json",
  "package-lock.json",
];
const hostEntry = "src/host/main.ts";
const stampPath = join(projectRoot, "dist-host", ".built-from");

/** A digest of everything the two builds read. */
function inputsDigest() {
  const digest = createHash("sha256").update(`${process.env.SAFELIGHT_SERVICE ?? ""}\0`);
  for (const path of INPUTS.flatMap(filesBelow)) {
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(projectRoot, path)))
      .update("\0");
  }
  return digest.digest("hex");
}

/**
 * @param {string} path a file or a folder, from the project's root
 * @returns {string[]}
 */
function filesBelow(path) {
  const absolute = join(projectRoot, path);
  if (!existsSync(absolute)) return [];
  if (!statSync(absolute).isDirectory()) return [path];
  return readdirSync(absolute)
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`));
}

/** Whether dist/ and dist-host/ are of the sources as they are now. */
export function isBuilt(digest = inputsDigest()) {
  return (
    existsSync(stampPath) &&
    readFileSync(stampPath, "utf8") === digest &&
    existsSync(join(projectRoot, "dist/index.html"))
  );
}

/**
 * Builds the page into dist/ and the host into dist-host/, with the bill of materials and the hashes of both beside it,
 * unless nothing changed since the last build.
 */
export async function ensureBuilt() {
  const digest = inputsDigest();
  if (isBuilt(digest)) return;
  process.stderr.write("Building Safelight…\n");
  // Built aside and then moved, so that a host that runs, or a second build, never meets half a folder.
  const aside = mkdtempSync(join(projectRoot, "node_modules", ".safelight-build-"));
  const page = join(aside, "page");
  const host = join(aside, "host");
  try {
    await vite(["build", "--logLevel", "warn", "--outDir", page], "Building the page failed");
    await vite(["build", "--ssr", hostEntry, "--logLevel", "warn", "--outDir", host], "Building the host failed");
    writeFileSync(join(host, ".built-from"), digest);
    writeReleaseFiles({ page, host, root: projectRoot });
    replaceFolder(join(projectRoot, "dist"), page, join(aside, "old-page"));
    replaceFolder(join(projectRoot, "dist-host"), host, join(aside, "old-host"));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {string} fresh
 * @param {string} old where what stands in the folder goes
 */
function replaceFolder(folder, fresh, old) {
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
}

/**
 * @param {string[]} viteArguments
 * @param {string} complaint
 */
function vite(viteArguments, complaint) {
  const child = spawn(process.execPath, ["node_modules/vite/bin/vite.js", ...viteArguments], {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  return runQuietly(child, complaint);
}
