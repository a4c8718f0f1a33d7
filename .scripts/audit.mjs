// npm run audit: whether a package of what ships has a known weakness. `npm audit` alone would ask about the tools too, or,
// with --omit=dev, leave out all that is built in: so it sees the bill of materials and nothing else.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled, projectRoot } from "./ensure-installed.mjs";
import { partsOf, shippedPackages } from "./release-files.mjs";
import { runNpm } from "./run.mjs";

await ensureInstalled();
await ensureBuilt();
const shipped = shippedPackages(projectRoot, partsOf(["dist", "dist-host"].map((name) => join(projectRoot, name))));
const folder = mkdtempSync(join(tmpdir(), "safelight-audit-"));
// A failure ends the process inside runNpm.
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

// Versions alone: with their dependencies npm would count whoever needs a weak package as one more weakness.
const packages = Object.fromEntries(Object.entries(shipped).map(([place, { version }]) => [place, { version }]));
writeFileSync(join(folder, "package.json"), "{}");
writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
process.stdout.write(
  await runNpm(
    ["audit", "--package-lock-only"],
    folder,
    "A shipped package has a known vulnerability, or the registry did not respond",
  ),
);
console.log(`Checked ${Object.keys(packages).length} packages.`);
