// npm run bench [-- name ...]: every .bench/*/run.mjs or those named, one after another, as they share the processor.
// `-- all --rounds 1` is one short round of each, as the long suite has it. Each bench says its limit and ends within it.
// What is measured against has a package.json of its own in .bench/, so that nothing else installs it; the scripts there
// are checked by `tsc` as all others are, before they run.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureInstalled, projectRoot } from "./ensure-installed.mjs";
import { runNode } from "./run.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", ".bench");
const all = readdirSync(folder).filter((name) => existsSync(join(folder, name, "run.mjs")));

// Options other than the rounds belong to one bench, which knows them.
const { positionals, tokens } = parseArgs({
  strict: false,
  allowPositionals: true,
  tokens: true,
  options: { rounds: { type: "string" } },
});
const options = tokens.flatMap((token) =>
  token.kind === "option" ? [token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`] : [],
);
const unknown = positionals.filter((name) => name !== "all" && !all.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown bench: ${unknown.join(", ")}. Benches: ${all.join(", ")}.`);
  process.exit(2);
}
const benches = positionals.length === 0 || positionals.includes("all") ? all : positionals;

await ensureInstalled();
await ensureInstalled(folder);
const typesCode = await runNode(["node_modules/typescript/bin/tsc", "--noEmit", "-p", folder], { cwd: projectRoot });
if (typesCode !== 0) {
  console.error("The benches do not run: their types do not fit what they measure.");
  process.exit(typesCode);
}

const failed = [];
for (const name of benches) {
  console.log(`\n${name}`);
  const startedAt = performance.now();
  const code = await runNode([join(folder, name, "run.mjs"), ...options], { cwd: projectRoot });
  console.log(`  ${name} ended after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  if (code !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`\n${failed.length} of ${benches.length} benches failed or missed a target: ${failed.join(", ")}.`);
  process.exit(1);
}
console.log(`\n${benches.length} of ${benches.length} benches ran.`);
