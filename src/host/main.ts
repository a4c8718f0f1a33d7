#!/usr/bin/env node
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { checkQuirks } from "./check-quirks.ts";
import { createHost } from "./create-host.ts";
import { readHostSettings } from "./host-settings.ts";
import { readTls, requireDataFolder, startNotices } from "./start-checks.ts";
import { type RunningServer, startServer } from "./start-server.ts";

// Built, this file stands in dist-host/, beside dist/.
const distFolder = fileURLToPath(new URL("../dist", import.meta.url));

/** How much longer requests may take that are under way when the host is stopped. */
const GRACE_MS = 3000;
/** How much longer a submit may take, so that its answer is recorded. The page waits no longer for it. */
const LONGEST_SUBMIT_MS = 190_000;

let server: RunningServer;
let host: ReturnType<typeof createHost>;
let notices: string[];
try {
  if (!existsSync(distFolder)) throw new Error("There is no dist/ folder yet. Run npm run build first.");
  const settings = readHostSettings(process.env);
  await checkQuirks(settings.sandboxQuirks);
  const tls = readTls(settings.tlsFiles);
  requireDataFolder(settings);
  notices = startNotices(settings);
  host = createHost(settings, distFolder);
  server = await startServer(host.fetch, { ...settings, tls });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

process.stdout.write([`Safelight is ready at ${server.url}`, ...notices, ""].join("\n"));

let isStopping = false;

/** Stops in order the first time, and at once when it is asked again. */
async function stop(): Promise<void> {
  if (isStopping) process.exit(1);
  isStopping = true;
  const overMs = performance.now() + LONGEST_SUBMIT_MS;
  const submitsOver = sleep(GRACE_MS).then(() => Promise.race([host.idle(), sleep(LONGEST_SUBMIT_MS - GRACE_MS)]));
  await server.close(GRACE_MS, submitsOver);
  // Waits for submits whose page has left, too.
  await host.close(Math.max(0, overMs - performance.now()));
  process.exit(0);
}
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
