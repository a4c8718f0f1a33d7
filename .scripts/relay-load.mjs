// Measures the built host's relay. Used by `npm run bench -- relay` and, with smaller numbers, by a browser-test stage.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { projectRoot } from "./ensure-installed.mjs";

const FROM_PAGE = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty" };
const KEY = "sk-bench-3f9c81d27b6e4a50";
/** Requests that the studio makes: the host puts the key into no other. */
const READ = "/apikey/models";
const SUBMIT = "/apikey/requests";
const CHUNK = Buffer.alloc(256 * 1024, '{"id":"sample","name":"a quiet harbor"},');

/**
 * @typedef {{ port: number | string, path: string, headers?: Record<string, string> }} Target
 * @typedef {AsyncIterable<Uint8Array> | Iterable<Uint8Array | string>} Body
 * @typedef {{ method?: string, body?: Body, headers?: Record<string, string> }} RequestOptions
 * @typedef {Awaited<ReturnType<typeof startRelayRig>>} RelayRig
 */

/**
 * An upstream and a host that may reach it. `rss()` is the host's memory in MB; Linux only, else undefined. `environment`
 * says where the host remembers attempts; by default in a temporary folder.
 * @param {NodeJS.ProcessEnv} environment
 */
export async function startRelayRig(environment = {}) {
  const upstream = createServer(answer);
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (upstream.address());
  const settings = { PORT: "0", HOST: "127.0.0.1", SAFELIGHT_UPSTREAMS: `http://127.0.0.1:${port}`, ...environment };
  const env = { ...process.env, ...settings };
  // As npm start and the image do.
  const words = ["--max-semi-space-size=4", "dist-host/main.js"];
  const child = spawn(process.execPath, words, { cwd: projectRoot, env, stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => child.kill();
  process.once("exit", kill);
  /** @type {string} */
  const hostUrl = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The host ended with ${code}.`)));
    child.stdout.on("data", (chunk) => {
      const url = / at (\S+)/.exec(String(chunk))?.[1];
      if (url) resolve(url);
    });
  });
  const hostPort = new URL(hostUrl).port;
  const session = await openSession(hostUrl, `http://127.0.0.1:${port}`);
  const authorized = { Authorization: `Bearer ${KEY}` };
  return {
    /** @type {(path: string) => Target} */
    direct: (path) => ({ port, path, headers: authorized }),
    /** @type {(path: string, use?: string) => Target} */
    relayed: (path, use = "api") => ({
      port: hostPort,
      path: `/relay/${use}/http/127.0.0.1:${port}${path}`,
      headers: use === "api" ? session : {},
    }),
    rss: () => readMemoryHeader(child.pid),
    async stop() {
      upstream.closeAllConnections();
      upstream.close();
      process.off("exit", kill);
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

/**
 * Gives the host a key, as a page does. Resolves to both halves of the session as headers.
 * @param {string} hostUrl
 * @param {string} origin
 * @returns {Promise<Record<string, string>>}
 */
async function openSession(hostUrl, origin) {
  const order = { key: KEY, salt: "bench", queueBaseUrl: origin, inferenceBaseUrl: origin };
  const headers = { "Content-Type": "application/json", Origin: hostUrl };
  const answer = await fetch(`${hostUrl}/session`, { method: "POST", headers, body: JSON.stringify(order) });
  if (answer.status !== 201) throw new Error(`No session: ${answer.status}`);
  const [cookie = ""] = answer.headers.getSetCookie();
  return { Cookie: cookie.split(";")[0] ?? "", "X-Safelight-Session": (await answer.json()).ticket };
}

/**
 * Answers `/bytes/<n>` and `/apikey/models/<n>` with n bytes, a PUT with the count of its bytes, anything else with a
 * small record.
 * @param {import("node:http").IncomingMessage} incoming
 * @param {import("node:http").ServerResponse} outgoing
 */
async function answer(incoming, outgoing) {
  if (incoming.method === "PUT") {
    let count = 0;
    for await (const chunk of incoming) count += chunk.length;
    outgoing.end(String(count));
    return;
  }
  // A submit is read to its end, as a service does.
  if (incoming.method === "POST") for await (const _ of incoming);
  const size = Number(/^\/(?:bytes|apikey\/models)\/(\d+)$/.exec(incoming.url ?? "")?.[1]);
  if (!size) {
    outgoing.setHeader("Content-Type", "application/json");
    outgoing.end('{"request_id":"4055d9f7-8670-49ff-b754-0d2749c5db4e","status":"queued"}');
    return;
  }
  outgoing.writeHead(200, { "Content-Length": size });
  await pipeline(bytes(size), outgoing).catch(() => undefined);
}

/** @param {number} size */
function* bytes(size) {
  for (let left = size; left > 0; left -= CHUNK.length) yield left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * One request; resolves to how many bytes came and the first of them as text, rejects on anything but 200.
 * @param {Target} target
 * @param {RequestOptions} given
 * @returns {Promise<{ count: number, start: string }>}
 */
export function fetchOnce({ port, path, headers: own = {} }, { method = "GET", body, headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method, headers: { ...FROM_PAGE, ...own, ...headers }, agent };
    const outgoing = request(options, (incoming) => {
      let count = 0;
      let start = "";
      const counter = new Writable({
        write(chunk, _encoding, done) {
          if (count === 0) start = chunk.subarray(0, 32).toString();
          count += chunk.length;
          done();
        },
      });
      if (incoming.statusCode !== 200) reject(new Error(`status ${incoming.statusCode}`));
      pipeline(incoming, counter).then(() => resolve({ count, start }), reject);
    });
    outgoing.on("error", reject);
    if (body) pipeline(body, outgoing).catch(reject);
    else outgoing.end();
  });
}

/**
 * `count` requests, `atOnce` at a time. Resolves to errors, seconds and the host's memory along the way in MB.
 * @param {RelayRig} rig
 * @param {number} count
 * @param {number} atOnce
 */
export async function measureMany(rig, count, atOnce) {
  const target = rig.relayed(READ);
  /** @type {number[]} */
  const memory = [];
  let errors = 0;
  let next = 0;
  const startedAt = performance.now();
  const worker = async () => {
    while (next < count) {
      next += 1;
      if (next % Math.ceil(count / 20) === 0) note(rig, memory);
      await fetchOnce(target).catch(() => {
        errors += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { errors, seconds: (performance.now() - startedAt) / 1000, memory };
}

/**
 * Times of reads in ms, direct and relayed by turns in one run: the value that `share` of them stay below.
 * @param {RelayRig} rig
 * @param {number} count
 */
export async function measureLatency(rig, count, share = 0.5) {
  const times = await byTurns(count, {
    directMs: () => fetchOnce(rig.direct(READ)),
    relayedMs: () => fetchOnce(rig.relayed(READ)),
  });
  return atShare(times, share);
}

/**
 * What the session and striking out the key cost, in ms: the same reads through the host as an API, and as media, which
 * needs neither. A small record, and a megabyte of text.
 * @param {RelayRig} rig
 * @param {number} count
 */
export async function measureSession(rig, count) {
  const large = `${READ}/${1024 ** 2}`;
  const small = await byTurns(count, {
    withoutMs: () => fetchOnce(rig.relayed(READ, "media")),
    withMs: () => fetchOnce(rig.relayed(READ)),
  });
  const megabyte = await byTurns(Math.ceil(count / 10), {
    withoutMs: () => fetchOnce(rig.relayed(large, "media")),
    withMs: () => fetchOnce(rig.relayed(large)),
  });
  return { small: atShare(small, 0.5), smallP95: atShare(small, 0.95), megabyte: atShare(megabyte, 0.5) };
}

/**
 * The same of submits: direct, relayed, and relayed with an intent, which the host writes down.
 * @param {RelayRig} rig
 * @param {number} count
 */
export async function measureSubmits(rig, count) {
  const body = JSON.stringify({ model: "m", payload: { prompt: "a quiet harbor at dawn, long exposure" } });
  /** @type {(target: Target, options?: RequestOptions) => Promise<unknown>} */
  const post = (target, options) => fetchOnce(target, { method: "POST", body: [body], ...options });
  const times = await byTurns(count, {
    directMs: () => post(rig.direct(SUBMIT)),
    relayedMs: () => post(rig.relayed(SUBMIT)),
    writtenMs: () => post(rig.relayed(SUBMIT), newIntent()),
  });
  return { median: atShare(times, 0.5), p95: atShare(times, 0.95) };
}

const newIntent = () => ({ headers: { "X-Safelight-Intent": randomUUID() } });

/**
 * Times of each way in ms. Each turn begins with another of them.
 * @template {string} Way
 * @param {number} count
 * @param {Record<Way, () => Promise<unknown>>} ways
 */
async function byTurns(count, ways) {
  const names = /** @type {Way[]} */ (Object.keys(ways));
  const empty = names.map((name) => [name, /** @type {number[]} */ ([])]);
  const times = /** @type {Record<Way, number[]>} */ (Object.fromEntries(empty));
  for (let turn = 0; turn < count; turn += 1) {
    const first = turn % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const startedAt = performance.now();
      await ways[name]();
      times[name].push(performance.now() - startedAt);
    }
  }
  return times;
}

/**
 * @template {string} Way
 * @param {Record<Way, number[]>} times
 * @param {number} share
 */
function atShare(times, share) {
  const names = /** @type {Way[]} */ (Object.keys(times));
  const found = Object.fromEntries(names.map((name) => [name, quantile(times[name], share)]));
  return /** @type {Record<Way, number>} */ (found);
}

/**
 * `intents` small submits, 64 at a time, and then `large` of 60 MB each at once. Resolves to errors, seconds, and the
 * host's memory in MB: at most meanwhile, and once it has nothing to do any more.
 * @param {RelayRig} rig
 * @param {number} intents
 * @param {number} large
 */
export async function measureMemory(rig, intents, large) {
  const memory = sampleMemory(rig);
  const startedAt = performance.now();
  let errors = 0;
  let next = 0;
  /** @param {Body} body */
  const send = (body) =>
    fetchOnce(rig.relayed(SUBMIT), { method: "POST", ...newIntent(), body }).catch(() => {
      errors += 1;
    });
  const worker = async () => {
    while (next++ < intents) await send(["{}"]);
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  const afterIntents = rig.rss();
  await Promise.all(Array.from({ length: large }, () => send(bytes(60 * 1024 ** 2))));
  const seconds = (performance.now() - startedAt) / 1000;
  await new Promise((resolve) => setTimeout(resolve, 5000));
  return { errors, seconds, afterIntents, most: Math.max(...memory.stop()), after: rig.rss() };
}

/**
 * `size` bytes down and as many up. Resolves to what arrived, seconds, and the host's memory along the way in MB.
 * @param {RelayRig} rig
 * @param {number} size
 */
export async function measureLarge(rig, size) {
  const memory = sampleMemory(rig);
  const startedAt = performance.now();
  const down = await fetchOnce(rig.relayed(`/bytes/${size}`, "media"));
  const up = await fetchOnce(rig.relayed("/file", "upload"), { method: "PUT", body: bytes(size) });
  const seconds = (performance.now() - startedAt) / 1000;
  return { down: down.count, up: Number(up.start), seconds, memory: memory.stop() };
}

/**
 * @param {RelayRig} rig
 * @param {number[]} memory
 */
function note(rig, memory) {
  const megabytes = rig.rss();
  if (megabytes !== undefined) memory.push(megabytes);
}

/**
 * The host's memory in MB, ten times a second until `stop`; nothing where the system does not tell.
 * @param {RelayRig} rig
 */
function sampleMemory(rig) {
  /** @type {number[]} */
  const memory = [];
  const sample = setInterval(() => note(rig, memory), 100);
  return {
    stop() {
      clearInterval(sample);
      return memory;
    },
  };
}

/**
 * @param {number[]} values
 * @param {number} share
 */
function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

/** @param {number | undefined} pid */
function readMemoryHeader(pid) {
  if (process.platform !== "linux") return undefined;
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(join("/proc", String(pid), "status"), "utf8"))?.[1]);
  return Math.round(kilobytes / 1000);
}
