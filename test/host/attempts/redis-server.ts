import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../setup/free-port.ts";

/** Whether this machine has a Redis to start; without it the tests that need one are skipped. */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

export const NO_REDIS = "there is no redis-server here (Debian: apt-get install redis-server)";

export interface RedisServer {
  url: string;
  /** Ends the process at once, as a crash does. What it had not stored is lost. */
  kill(): Promise<void>;
  /** Starts it again at the same address, with what is on its disk. */
  start(): Promise<void>;
  /** Lets the process stand still, or go on. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  stop(): Promise<void>;
}

/** Debian's Redis on loopback, in a folder of its own. Stores what it has only if it is told to. */
export async function startRedisServer(...options: string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "safelight-redis-"));
  const port = await freePort();
  let child: ChildProcess | undefined;

  const start = async () => {
    const place = ["--bind", "127.0.0.1", "--port", String(port), "--dir", folder, "--save", ""];
    const started = spawn("redis-server", [...place, ...options], { stdio: ["ignore", "pipe", "inherit"] });
    child = started;
    let printed = "";
    await new Promise<void>((resolve, reject) => {
      started.stdout?.on("data", (chunk) => {
        printed += chunk;
        if (printed.includes("Ready to accept connections")) resolve();
      });
      started.once("exit", () => reject(new Error(`Redis ended:\n${printed}`)));
    });
  };
  const kill = async () => {
    const killed = child;
    child = undefined;
    if (!killed || killed.exitCode !== null) return;
    killed.kill("SIGKILL");
    await once(killed, "exit");
  };

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    signal: (signal) => child?.kill(signal),
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
