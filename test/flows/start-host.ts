import { type ChildProcess, spawn } from "node:child_process";
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

/** For a host that is started again in a story, or that shares its sessions: they survive it. */
export const SESSION_SECRET = { SAFELIGHT_SESSION_SECRET: "a secret of stories, of 32 characters and more" };

/** Stories look into the sandbox from outside, and use it as a service of another origin. */
const OPEN_SANDBOX = { SAFELIGHT_SANDBOX: "open" };

/**
 * Starts the built host, or another one, as a process of its own. Without `PORT` it takes a free port, and remembers
 * nothing beyond its life. With `PORT`, give `SAFELIGHT_DATA` or `SAFELIGHT_REDIS_URL` as well: otherwise it writes into
 * the folder of whoever runs the test. Rejects with what it printed if it ends early.
 */
export async function startHost(environment: Record<string, string> = {}, main = mainFile): Promise<TestProcess> {
  const env = { ...process.env, HOST: "127.0.0.1", PORT: "0", ...OPEN_SANDBOX, ...environment };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    printed.stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    printed.stderr += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
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

/** The lines that a host wrote to its log, each once, without how many more of a kind there were. */
export function saidKinds({ stderr }: Pick<TestHost, "stderr">): string[] {
  const lines = stderr()
    .split("\n")
    .filter((line) => line !== "");
  return [...new Set(lines.map((line) => line.replace(/, \d+ more within 10 seconds$/, "")))];
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
