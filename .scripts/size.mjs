// npm run size: the JavaScript of a first load, gzip, from the build's manifest: of /create, and of /connect, where a
// visitor without a connection lands.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./ensure-installed.mjs";

const LIMIT_BYTES = 180_000;
const dist = join(projectRoot, "dist");
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));

/** The chunks a module loads with it, itself included; lazy ones only when asked for by name. */
function withImports(key, chunks = new Set()) {
  if (chunks.has(key)) return chunks;
  chunks.add(key);
  for (const imported of manifest[key].imports ?? []) withImports(imported, chunks);
  return chunks;
}

/** The chunks of the page and of one screen: named by its file, or by the group that its file heads. */
function chunksOf(screen) {
  const file = `src/screens/${screen}/${screen}-screen.tsx`;
  const key = file in manifest ? file : Object.keys(manifest).find((known) => manifest[known].name === screen);
  return withImports(key, withImports("index.html"));
}

let isOver = false;
for (const screen of ["create", "connect"]) {
  const rows = [...chunksOf(screen)]
    .map((key) => manifest[key].file)
    .filter((file) => file.endsWith(".js"))
    .map((file) => ({ file, bytes: gzipSize(file) }))
    .sort((a, b) => b.bytes - a.bytes);
  for (const { file, bytes } of rows) console.log(`${kB(bytes)}  ${file}`);
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`${kB(total)}  first load of /${screen}, gzip; the limit is ${LIMIT_BYTES / 1000} kB\n`);
  isOver ||= total > LIMIT_BYTES;
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
