import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type ClientRequest, type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import type { ConnectionLimits } from "#host/connections/limit-connections.ts";
import { bundleForNode } from "../../setup/bundle-for-node.ts";

/** More than this no flood may take. */
export const MOST_MEMORY = 300_000_000;

export interface FloodHost {
  url: string;
  /** The most memory that the process has had so far, in bytes. */
  mostMemory(): Promise<number>;
}

/** Starts a host in a process of its own, as `npm start` does. It ends with the test. */
export async function startFloodHost(
  environment: Record<string, string> = {},
  limits: Partial<ConnectionLimits> = {},
): Promise<FloodHost> {
  const env = { ...process.env, PORT: "0", ...environment, FLOOD_LIMITS: JSON.stringify(limits) };
  const execArgv = ["--max-semi-space-size=4"];
  const child: ChildProcess = fork(await bundleForNode("test/host/floods/flood-process.ts"), {
    env,
    execArgv,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    async mostMemory() {
      child.send("memory");
      const [bytes] = (await once(child, "message")) as [number];
      return bytes;
    },
  };
}

export interface FloodAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Order {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

/** Opens a request on a connection of its own, whose body is still to be written. */
export function openRequest(base: string, path: string, { method = "POST", headers = {} }: Order) {
  const { hostname, port } = new URL(base);
  const outgoing: ClientRequest = request({ hostname, port, path, method, headers, agent: false });
  const answer = new Promise<FloodAnswer>((resolve, reject) => {
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      text(incoming).then((body) => resolve({ status, headers, body }), reject);
    });
  });
  answer.catch(() => {});
  return { outgoing, answer };
}

export function send(base: string, path: string, order: Order): Promise<FloodAnswer> {
  // Node's client gives a DELETE no length of its own.
  const length = order.body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(order.body)) };
  const { outgoing, answer } = openRequest(base, path, { ...order, headers: { ...order.headers, ...length } });
  outgoing.end(order.body);
  return answer;
}

/** The headers of a request that the studio's own page at this address makes. */
export const fromPageAt = (base: string) => ({ Origin: base, "Sec-Fetch-Site": "same-origin" });

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
export async function expectLittleMemory(host: FloodHost): Promise<void> {
  const bytes = await host.mostMemory();
  if (process.env.FLOOD_FIGURES) process.stderr.write(`memory: ${(bytes / 1e6).toFixed(0)} MB\n`);
  expect(bytes).toBeLessThan(MOST_MEMORY);
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
