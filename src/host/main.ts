#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkQuirks } from "./check-quirks.ts";
import { createHost } from "./create-host.ts";
import { readHostSettings } from "./host-settings.ts";
import { type RunningServer, startServer } from "./start-server.ts";

// Built, this file stands in dist-host/, beside dist/.
const distFolder = fileURLToPath(new URL("../dist", import.meta.url));

/** Submits that are under way may end until then, and are recorded. */
const GRACE_MS = 3000;

let server: RunningServer;
let host: ReturnType<typeof createHost>;
try {
  if (!existsSync(distFolder)) throw new Error("There is no dist/ folder yet. Run npm run build first.");
  const settings = readHostSettings(process.env);
  await checkQuirks(settings.sandboxQuirks);
  const { tlsFiles } = settings;
  const tls = tlsFiles && { key: readFileSync(tlsFiles.key, "utf8"), cert: readFileSync(tlsFiles.cert, "utf8") };
  host = createHost(settings, distFolder);
  server = await startServer(host.fetch, { ...settings, tls });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

process.stdout.write(`Safelight is ready at ${server.url}\n`);

async function stop(): Promise<void> {
  await server.close(GRACE_MS);
  await host.close(GRACE_MS);
  process.exit(0);
}
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
