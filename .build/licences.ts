import { readFileSync } from "node:fs";
import { createViteLicensePlugin } from "rollup-license-plugin";
import type { Plugin } from "vite";

interface Part {
  name: string;
  version: string;
  /** An SPDX expression. */
  license: string;
  /** Of the package's own licence file; null where it brings none. */
  licenseText: string | null;
  repository: string | null;
  /** Where the package itself can be had. */
  source: string;
  author?: string | { name: string };
}

/** What no module shows: styles and fonts that the CSS takes in, and the few lines that the build adds. */
const PARTS_OF_PAGE = [
  "@fontsource-variable/geist",
  "@fontsource-variable/geist-mono",
  "tailwindcss",
  "vite",
  "rolldown",
];
const PARTS_OF_HOST = ["rolldown"];

/** What a package has inside beside its own code, by its name. */
const INSIDE: Readonly<Record<string, () => string>> = {
  "h264-mp4-encoder": () =>
    `It holds minih264, which is in the public domain (https://github.com/lieff/minih264), and libmp4v2, whose source is
at https://github.com/sergiomb2/libmp4v2 under the Mozilla Public License 1.1:

${textOf("licences/mpl-1.1.txt")}`,
  "libheif-js": () =>
    "The exact versions of what it holds, their sources and the text of the GNU GPL are in libheif.txt beside this file.",
  msw: () => "It is also a part of the file sandbox-worker.js.",
};

const HEAD = `Safelight is under the MIT license. The build contains parts by others, each under the license below its name.`;
const LINE = "-".repeat(100);

/**
 * Writes what a build contains into its folder `licences`: all licences as one text, and names and versions for the bill of
 * materials. Workers are built apart: `inWorkers` goes among their plugins, and their parts are in the same files. A part
 * without a licence ends the build.
 */
export function licences({ isHost }: { isHost: boolean }): { plugin: Plugin; inWorkers: Plugin } {
  const plugin = createViteLicensePlugin({
    outputFilename: false,
    additionalFiles: {
      "licences/third-party.txt": (parts) => licencesText(parts as Part[]),
      "licences/packages.json": (parts) => packagesText(parts as Part[]),
    },
    includePackages: () => (isHost ? PARTS_OF_HOST : PARTS_OF_PAGE).map((name) => `node_modules/${name}`),
  }) as Plugin;
  const { renderChunk } = plugin;
  return { plugin, inWorkers: { name: "licences-in-workers", ...(renderChunk ? { renderChunk } : {}) } };
}

/** The text of all licences, by name. Throws where one is missing. */
export function licencesText(parts: readonly Part[]): string {
  return `${[HEAD, ...byName(parts).map(partText)].join(`\n\n${LINE}\n`)}\n`;
}

function packagesText(parts: readonly Part[]): string {
  return `${JSON.stringify(byName(parts).map(({ name, version }) => ({ name, version })))}\n`;
}

function byName(parts: readonly Part[]): Part[] {
  return parts.toSorted((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
}

function partText(part: Part): string {
  const { name, version, license, repository, source } = part;
  const address = repository?.replace(/^git\+|\.git$/g, "") ?? source;
  const inside = INSIDE[name]?.();
  return [`${name} ${version}, ${license}\n${address}\n${source}`, ownText(part), ...(inside ? [inside] : [])].join(
    "\n\n",
  );
}

function ownText({ name, license, licenseText, author }: Part): string {
  // What a tool contains itself is no part of what it adds to a build.
  if (licenseText) return licenseText.split("\n# Licenses of bundled dependencies")[0]?.trim() ?? "";
  if (license !== "MIT") throw new Error(`${name} brings no text of its license, ${license}.`);
  const holder = (typeof author === "string" ? author.replace(/ <.*/, "") : author?.name) ?? `The authors of ${name}`;
  return textOf("../LICENSE")
    .replace(/^Copyright .*$/m, `Copyright (c) ${holder}`)
    .trim();
}

function textOf(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8").trim();
}
