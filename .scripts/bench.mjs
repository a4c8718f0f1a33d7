// npm run bench [-- name ...]: every .bench/*/run.mjs, one after another, as they share the processor.
// What is measured against has a package.json of its own in .bench/, so that nothing else installs it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./ensure-installed.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", ".bench");
await ensureInstalled();
await ensureInstalled(folder);
const asked = process.argv.slice(2);
const names = asked.filter((word) => !word.startsWith("--"));
const options = asked.filter((word) => word.startsWith("--"));
const benches = readdirSync(folder).filter(
  (name) => existsSync(join(folder, name, "run.mjs")) && (names.length === 0 || names.includes(name)),
);
for (const name of benches) {
  console.log(`\n${name}`);
  const [code] = await once(
    spawn(process.execPath, [join(folder, name, "run.mjs"), ...options], { stdio: "inherit" }),
    "exit",
  );
  if (code !== 0) process.exitCode = 1;
}
