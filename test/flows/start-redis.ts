import { spawn, spawnSync } from "node:child_process";
import { freePort } from "../setup/free-port.ts";

export interface TestRedis {
  url: string;
  /** Ends it at once: SIGKILL. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again at the same place. It has forgotten everything. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether this machine has a Redis to start. */
export const hasRedis = () => spawnSync("redis-server", ["--version"]).status === 0;

/** A Redis in memory, on loopback. Rejects with what it printed if it ends early. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  let running = await launch(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => running.end("SIGKILL"),
    restart: async () => {
      running = await launch(port);
    },
    stop: () => running.end("SIGTERM"),
  };
}

async function launch(port: number): Promise<{ end(signal: "SIGKILL" | "SIGTERM"): Promise<void> }> {
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", settings, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      if (/Ready to accept connections/.test(printed)) resolve();
    });
    void ended.then(() => reject(new Error(`redis-server ended: ${printed}`)));
  });
  return {
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
