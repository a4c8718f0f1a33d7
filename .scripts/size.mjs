// npm run size: the JavaScript of a first load, gzip, from the build's manifest: of /create until its form is there, with
// the schema reader that it asks for at once; and of /connect, where a visitor without a connection lands.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./ensure-installed.mjs";

const SCREENS = {
  create: { limitBytes: 320_000, alsoLoads: ["schema-reader"] },
  connect: { limitBytes: 200_000, alsoLoads: [] },
};
const dist = join(projectRoot, "dist");
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));

/** The chunks a module loads with it, itself included; lazy ones only when asked for by name. */
function withImports(key, chunks = new Set()) {
  if (chunks.has(key)) return chunks;
  chunks.add(key);
  for (const imported of manifest[key].imports ?? []) withImports(imported, chunks);
  return chunks;
}

/** The chunks of the page and of one screen, with what the screen asks for at once. */
function chunksOf(screen) {
  const chunks = withImports(keyOf(`src/screens/${screen}/${screen}-screen.tsx`, screen), withImports("index.html"));
  for (const name of SCREENS[screen].alsoLoads) withImports(keyOf(undefined, name), chunks);
  return chunks;
}

/** A chunk is named by its file, or by its group in vite.config.ts. */
function keyOf(file, name) {
  return file in manifest ? file : Object.keys(manifest).find((known) => manifest[known].name === name);
}

let isOver = false;
for (const [screen, { limitBytes }] of Object.entries(SCREENS)) {
  const rows = [...chunksOf(screen)]
    .map((key) => manifest[key].file)
    .filter((file) => file.endsWith(".js"))
    .map((file) => ({ file, bytes: gzipSize(file) }))
    .sort((a, b) => b.bytes - a.bytes);
  for (const { file, bytes } of rows) console.log(`${kB(bytes)}  ${file}`);
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`${kB(total)}  first load of /${screen}, gzip; the limit is ${limitBytes / 1000} kB\n`);
  isOver ||= total > limitBytes;
}

const strays = [...chunksOf("create")].filter((key) => /src\/sandbox\/|msw/.test(`${key} ${manifest[key].name ?? ""}`));
if (strays.length > 0) {
  console.error(`These belong in lazy chunks: ${strays.join(", ")}`);
  process.exit(1);
}
if (isOver) {
  console.error("A first load is over its limit.");
  process.exit(1);
}

function kB(bytes) {
  return `${(bytes / 1000).toFixed(1).padStart(7)} kB`;
}

function gzipSize(file) {
  const compressed = join(dist, `${file}.gz`);
  return readFileSync(existsSync(compressed) ? compressed : join(dist, file)).length;
}
