// The host of the floods: all but the page, in a process of its own whose memory is looked at.

import { existsSync, readFileSync } from "node:fs";
import { CONNECTION_LIMITS } from "../../../src/host/connections/limit-connections.ts";
import { createHost } from "../../../src/host/create-host.ts";
import { readHostSettings } from "../../../src/host/host-settings.ts";
import { startServer } from "../../../src/host/start-server.ts";

const settings = readHostSettings(process.env);
const limits = { ...CONNECTION_LIMITS, ...JSON.parse(process.env.FLOOD_LIMITS ?? "{}") };
const server = await startServer(createHost(settings, undefined).fetch, settings, limits);
process.on("message", () => process.send?.(mostMemory()));
process.send?.(server.url);

/** In bytes: the most so far where the system tells it, else what it is now. */
function mostMemory(): number {
  // `resourceUsage` would count what the process had been before it became this one.
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? process.memoryUsage.rss() : Number(kilobytes) * 1024;
}
