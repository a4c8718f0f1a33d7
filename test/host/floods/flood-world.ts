import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { openRequest, send } from "../send.ts";

/** More than this no flood may take. */
export const MAX_MEMORY = 300_000_000;

export interface FloodHost {
  url: string;
  /** The most memory that the process has had so far, in bytes. Undefined where the system does not tell. */
  mostMemory(): number | undefined;
}

/** Starts this program of a host in a process of its own, as `npm start` does. It ends with the test. */
export async function startFloodHost(path: string, environment: Record<string, string> = {}): Promise<FloodHost> {
  const env = { ...process.env, PORT: "0", ...environment };
  const child: ChildProcess = spawn(process.execPath, ["--max-semi-space-size=4", path], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  const [line] = child.stdout ? ((await once(child.stdout, "data")) as [Buffer]) : [""];
  return { url: /at (\S+)/.exec(String(line))?.[1] ?? "", mostMemory: () => mostMemoryOf(child) };
}

function mostMemoryOf({ pid }: ChildProcess): number | undefined {
  const path = `/proc/${pid}/status`;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(existsSync(path) ? readFileSync(path, "utf8") : "") ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/**
 * Asks for the host's health again and again until the flood is over. Each answer must be good. Resolves to what the
 * flood resolves to, and how long the slowest answer took, in ms.
 */
export async function duringHealthChecks<T>(base: string, flood: Promise<T>) {
  const state = { isOver: false, answers: 0, slowestMs: 0 };
  const over = flood.finally(() => {
    state.isOver = true;
  });
  over.catch(() => {});
  while (!state.isOver || state.answers === 0) {
    const startMs = performance.now();
    const { status, body } = await send(base, "/healthz", { method: "GET" });
    expect([status, body]).toEqual([200, "ok"]);
    state.answers += 1;
    state.slowestMs = Math.max(state.slowestMs, performance.now() - startMs);
    await new Promise(setImmediate);
  }
  const result = await over;
  // For whoever wants the figure; a machine that does something else beside the test says nothing about the host.
  if (process.env.FLOOD_FIGURES)
    process.stderr.write(`health: ${state.answers} answers, slowest ${state.slowestMs.toFixed(0)} ms\n`);
  return { result, answers: state.answers };
}

/** Expects that the host never had more memory than it may. */
export function expectLittleMemory(host: FloodHost): void {
  const bytes = host.mostMemory();
  if (bytes === undefined) return;
  if (process.env.FLOOD_FIGURES) process.stderr.write(`memory: ${(bytes / 1e6).toFixed(0)} MB\n`);
  expect(bytes).toBeLessThan(MAX_MEMORY);
}

const MEGABYTE = new Uint8Array(1024 * 1024).fill(7);

/** Writes a body of so many megabytes, as fast as the other side takes it. Resolves to the status, and what was written. */
export async function uploadMegabytes(base: string, path: string, megabytes: number, headers: Record<string, string>) {
  const length = { "Content-Length": String(megabytes * MEGABYTE.length) };
  const { outgoing, answer } = openRequest(base, path, { method: "PUT", headers: { ...headers, ...length } });
  const isOver = answer.then(
    () => true,
    () => true,
  );
  let sent = 0;
  for (; sent < megabytes; sent += 1) {
    if (outgoing.destroyed) break;
    const isRoom = outgoing.write(MEGABYTE);
    if (
      !isRoom &&
      (await Promise.race([isOver, new Promise((resolve) => outgoing.once("drain", () => resolve(false)))]))
    )
      break;
  }
  outgoing.end();
  return answer.then(
    ({ status }) => ({ outcome: status, sent }),
    () => ({ outcome: "cut" as const, sent }),
  );
}
