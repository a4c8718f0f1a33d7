// npm run size: the JavaScript of a first load, gzip, from the build's manifest: of /connect, where a visitor without a
// connection lands, and of /create. The limits guard against accidents; what counts is time (`npm run bench -- lighthouse`).
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./ensure-installed.mjs";

/** @typedef {{ file: string, name?: string, imports?: string[] }} Chunk */

/** By the name of the chunk that a screen adds to the page's own; vite.config.ts names it. */
const FIRST_LOADS = [
  { path: "/connect", chunk: undefined, limitBytes: 200_000 },
  { path: "/create", chunk: "studio", limitBytes: 380_000 },
];
const dist = join(projectRoot, "dist");
/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));

/**
 * A chunk and all that it imports.
 * @param {string} key
 * @param {Set<string>} found
 */
function withImports(key, found = new Set()) {
  if (found.has(key)) return found;
  found.add(key);
  for (const imported of chunkOf(key).imports ?? []) withImports(imported, found);
  return found;
}

/** @param {string} name */
function keyOf(name) {
  const known = Object.keys(manifest).find((key) => manifest[key]?.name === name);
  if (known === undefined) throw new Error(`The build has no chunk named ${name}.`);
  return known;
}

/** @param {string} key */
function chunkOf(key) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The build's manifest has no ${key}.`);
  return chunk;
}

let isOver = false;
for (const { path, chunk, limitBytes } of FIRST_LOADS) {
  const keys = withImports("index.html");
  if (chunk) withImports(keyOf(chunk), keys);
  const strays = [...keys].filter((key) => /src\/sandbox\/|msw/.test(`${key} ${chunkOf(key).name ?? ""}`));
  if (strays.length > 0) {
    console.error(`These belong to no first load: ${strays.join(", ")}`);
    process.exit(1);
  }
  const rows = [...keys]
    .map((key) => chunkOf(key).file)
    .filter((file) => file.endsWith(".js"))
    .map((file) => ({ file, bytes: gzipSize(file) }))
    .sort((a, b) => b.bytes - a.bytes);
  for (const { file, bytes } of rows) console.log(`${kB(bytes)}  ${file}`);
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`${kB(total)}  first load of ${path}, gzip; the limit is ${limitBytes / 1000} kB\n`);
  isOver ||= total > limitBytes;
}
if (isOver) {
  console.error("A first load is over its limit.");
  process.exit(1);
}

/** @param {number} bytes */
function kB(bytes) {
  return `${(bytes / 1000).toFixed(1).padStart(7)} kB`;
}

/** @param {string} file */
function gzipSize(file) {
  const compressed = join(dist, `${file}.gz`);
  return readFileSync(existsSync(compressed) ? compressed : join(dist, file)).length;
}
