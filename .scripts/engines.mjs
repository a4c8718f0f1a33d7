// npm run flows:engines: the main stories in an installed Firefox and in WebKit. One that is absent is skipped, and said.
// With `ALL_ENGINES=1`, as in CI, it fails. `npm run flows:engines -- create` takes a part of them, `-- --project firefox` one engine.
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled, projectRoot } from "./ensure-installed.mjs";
import { findEngines } from "./find-engines.mjs";
import { runNode } from "./run.mjs";

const engines = findEngines();
const isEveryEngineWanted = process.env.ALL_ENGINES === "1";
for (const { name, missing } of engines) if (missing) console.log(`${missing} The stories in ${name} are skipped.`);
if (isEveryEngineWanted && engines.some(({ missing }) => missing)) process.exit(1);
if (engines.every(({ missing }) => missing)) process.exit(0);

await ensureInstalled();
await ensureBuilt();
const playwright = "node_modules/@playwright/test/cli.js";
const config = ["test", "--config", "test/engines/playwright.config.ts"];
process.exit(await runNode([playwright, ...config, ...process.argv.slice(2)], { cwd: projectRoot }));
