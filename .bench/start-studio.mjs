import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt } from "../.scripts/ensure-built.mjs";
import { projectRoot } from "../.scripts/ensure-installed.mjs";
import { within } from "./run-bench.mjs";

/**
 * The built studio and its sandbox with so many jobs from before, as a process of its own.
 * @param {number} history
 */
export async function startStudio(history) {
  await ensureBuilt();
  const child = spawn(process.execPath, [join(projectRoot, "dist-host", "main.js")], {
    env: {
      ...process.env,
      HOST: "127.0.0.1",
      PORT: "0",
      SAFELIGHT_SANDBOX_SEED: "1",
      SAFELIGHT_SANDBOX_HISTORY: String(history),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => child.kill());
  let printed = "";
  /** @type {Promise<string>} */
  const ready = new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      printed += chunk;
      const url = /^Safelight is ready at (\S+)\n/.exec(printed)?.[1];
      if (url) resolve(url);
    });
    child.once("exit", (code) => reject(new Error(`The host ended with ${code}.`)));
  });
  const origin = await within(120, "The host was not ready", ready);
  return { origin, close: () => child.kill("SIGTERM") };
}
