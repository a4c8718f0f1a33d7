// npm start. The host runs in this very process, so that a signal to it needs nobody to pass it on.
// `--max-semi-space-size` (package.json): what a relay allocates is soon garbage, and Node would give it 48 MB of room.
import { pathToFileURL } from "node:url";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled, projectRoot } from "./ensure-installed.mjs";

await ensureInstalled();
await ensureBuilt();
await import(pathToFileURL(`${projectRoot}dist-host/main.js`).href);
