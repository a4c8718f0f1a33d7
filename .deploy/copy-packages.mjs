// node .deploy/copy-packages.mjs <folder> <package>...: copies installed packages, and all that they need by the lock
// file, into <folder>/node_modules. For the image, which has no other packages.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, ...names] = process.argv.slice(2);
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const copied = new Set();

/** Where Node finds a package that is needed at `from`: beside it, or further up. */
function find(name, from) {
  const place = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (packages[place]) return place;
  if (from === "") throw new Error(`${name} is not in package-lock.json.`);
  return find(name, from.slice(0, Math.max(from.lastIndexOf("/node_modules/"), 0)));
}

function copy(place) {
  if (copied.has(place)) return;
  copied.add(place);
  cpSync(place, join(folder, place), { recursive: true });
  for (const name of Object.keys(packages[place].dependencies ?? {})) copy(find(name, place));
}

for (const name of names) copy(find(name, ""));
