// npm run size: the JavaScript a first visit to /create loads, gzip, from the build's manifest.
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

const screen = "src/screens/create/create-screen.tsx";
const chunks = withImports("index.html");
if (manifest[screen]) withImports(screen, chunks);

const rows = [...chunks]
  .map((key) => manifest[key].file)
  .filter((file) => file.endsWith(".js"))
  .map((file) => ({ file, bytes: gzipSize(file) }))
  .sort((a, b) => b.bytes - a.bytes);
const total = rows.reduce((sum, row) => sum + row.bytes, 0);

for (const { file, bytes } of rows) console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${file}`);
console.log(
  `${(total / 1000).toFixed(1).padStart(7)} kB  first load of /create, gzip; the limit is ${LIMIT_BYTES / 1000} kB`,
);

const strays = [...chunks].filter((key) => /src\/sandbox\/|msw/.test(`${key} ${manifest[key].name ?? ""}`));
if (strays.length > 0) {
  console.error(`These belong in lazy chunks: ${strays.join(", ")}`);
  process.exit(1);
}
if (total > LIMIT_BYTES) {
  console.error("The first load is over its limit.");
  process.exit(1);
}

function gzipSize(file) {
  const compressed = join(dist, `${file}.gz`);
  return readFileSync(existsSync(compressed) ? compressed : join(dist, file)).length;
}
