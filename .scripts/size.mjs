// npm run size: the JavaScript of a first load, gzip, from the build's manifest: of /create until its form is there, with
// the schema reader that it asks for at once; and of /connect, where a visitor without a connection lands.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./ensure-installed.mjs";

/** @typedef {{ file: string, name?: string, imports?: string[] }} Chunk */

/** @type {Record<string, { limitBytes: number, alsoLoads: string[] }>} */
const SCREENS = {
  create: { limitBytes: 320_000, alsoLoads: ["schema-reader"] },
  connect: { limitBytes: 200_000, alsoLoads: [] },
};
const dist = join(projectRoot, "dist");
/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));

/**
 * The chunks a module loads with it, itself included; lazy ones only when asked for by name.
 * @param {string} key
 * @param {Set<string>} chunks
 */
function withImports(key, chunks = new Set()) {
  if (chunks.has(key)) return chunks;
  chunks.add(key);
  for (const imported of chunkOf(key).imports ?? []) withImports(imported, chunks);
  return chunks;
}

/**
 * The chunks of the page and of one screen, with what the screen asks for at once.
 * @param {string} screen
 * @param {string[]} alsoLoads
 */
function chunksOf(screen, alsoLoads) {
  const chunks = withImports(keyOf(screen, `src/screens/${screen}/${screen}-screen.tsx`), withImports("index.html"));
  for (const name of alsoLoads) withImports(keyOf(name), chunks);
  return chunks;
}

/**
 * A chunk is named by its file, or by its group in vite.config.ts.
 * @param {string} name
 * @param {string} [file]
 */
function keyOf(name, file) {
  if (file && file in manifest) return file;
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
for (const [screen, { limitBytes, alsoLoads }] of Object.entries(SCREENS)) {
  const rows = [...chunksOf(screen, alsoLoads)]
    .map((key) => chunkOf(key).file)
    .filter((file) => file.endsWith(".js"))
    .map((file) => ({ file, bytes: gzipSize(file) }))
    .sort((a, b) => b.bytes - a.bytes);
  for (const { file, bytes } of rows) console.log(`${kB(bytes)}  ${file}`);
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`${kB(total)}  first load of /${screen}, gzip; the limit is ${limitBytes / 1000} kB\n`);
  isOver ||= total > limitBytes;
}

const ofCreate = [...chunksOf("create", SCREENS.create?.alsoLoads ?? [])];
const strays = ofCreate.filter((key) => /src\/sandbox\/|msw/.test(`${key} ${chunkOf(key).name ?? ""}`));
if (strays.length > 0) {
  console.error(`These belong in lazy chunks: ${strays.join(", ")}`);
  process.exit(1);
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
