import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const mainFile = fileURLToPath(new URL("../../dist-host/main.js", import.meta.url));

export interface TestHost {
  url: string;
  stdout(): string;
  stderr(): string;
  /** Sends SIGTERM and resolves to the exit code. */
  stop(): Promise<number | null>;
}

export interface TestProcess extends TestHost {
  /** Ends it at once, as a crash of the machine would: SIGKILL. Resolves when it is gone. */
  kill(): Promise<void>;
}

/**
 * Starts the built host, or another one, as a process of its own. Without `PORT` it takes a free port, without
 * `SAFELIGHT_DATA` a data folder of its own, which goes with it. Rejects with what it printed if it ends early.
 */
export async function startHost(environment: Record<string, string> = {}, main = mainFile): Promise<TestProcess> {
  const data = environment.SAFELIGHT_DATA ?? (await mkdtemp(join(tmpdir(), "safelight-data-")));
  const env = { ...process.env, HOST: "127.0.0.1", PORT: "0", SAFELIGHT_DATA: data, ...environment };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    printed.stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    printed.stderr += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve)).then(async (code) => {
    if (environment.SAFELIGHT_DATA === undefined) await rm(data, { recursive: true, force: true });
    return code;
  });
  const url = await readyUrl(child, printed, ended);
  return {
    url,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function readyUrl(child: ChildProcess, printed: { stdout: string; stderr: string }, ended: Promise<number | null>) {
  return new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", () => {
      const url = /^Safelight is ready at (\S+)\n/.exec(printed.stdout)?.[1];
      if (url) resolve(url);
    });
    void ended.then((code) => reject(new Error(`The host ended with ${code}: ${printed.stderr}`)));
  });
}
