import type { Redis } from "ioredis";
import { StoreUnavailable } from "./attempt-store.ts";
import { ADD, REMOVE, REPLACE } from "./redis-scripts.ts";

/** The scripts of `redis-scripts.ts` as methods: keys first, then arguments. */
export interface ScriptedRedis extends Redis {
  addAttemptBuffer(...words: (string | Buffer)[]): Promise<(Buffer | null)[]>;
  replaceAttempt(...words: (string | Buffer)[]): Promise<null>;
  removeAttempt(...words: (string | Buffer)[]): Promise<null>;
}

/** A connection that stands. A restarted Redis, or another one that took its place, has another run id. */
export interface Connected {
  redis: ScriptedRedis;
  runId: string;
}

interface RedisConnection {
  /** Rejects at once while the Redis cannot be reached, with a StoreUnavailable. */
  connected(): Promise<Connected>;
  /** Why a command failed, as a sentence. */
  explain(error: unknown): StoreUnavailable;
  close(): Promise<void>;
}

const MAX_WAIT_MS = 2000;
const NO_CONNECTION = "no connection";

/**
 * Connects when it is first needed, and again by itself when the connection is lost. A command is sent once, on the
 * connection that stands, and waits two seconds at most: a command that comes late would be no use to a page.
 */
export function connectRedis(url: string, report: (line: string) => void): RedisConnection {
  let redis: ScriptedRedis | undefined;
  let connecting: Promise<unknown> | undefined;
  /** Set while the connection stands: which Redis it is, or why that one will not do. */
  let identified: Promise<Connected> | undefined;
  /** The code of the last error that was reported; empty once a connection stands. */
  let trouble = "";

  async function create(): Promise<ScriptedRedis> {
    const { Redis } = await import("ioredis");
    const created = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: MAX_WAIT_MS,
      commandTimeout: MAX_WAIT_MS,
      retryStrategy: (times) => Math.min(times * 100, 1000),
      // The older protocol does all that is needed here, and every Redis speaks it.
      protocol: 2,
      disableClientInfo: true,
      scripts: { addAttempt: ADD, replaceAttempt: REPLACE, removeAttempt: REMOVE },
    }) as ScriptedRedis;
    created.on("ready", () => {
      trouble = "";
      identified = identify(created);
      identified.catch(() => {});
    });
    created.on("close", () => {
      identified = undefined;
    });
    created.on("error", noteError);
    return created;
  }

  /** One line for whoever runs the host, when the trouble changes. */
  function noteError(error: unknown): void {
    const code = codeOf(error);
    if (code !== trouble) report(`The Redis at SAFELIGHT_REDIS_URL cannot be used (${code}).`);
    trouble = code;
  }

  async function connected(): Promise<Connected> {
    if (!identified) {
      connecting ??= connect().finally(() => {
        connecting = undefined;
      });
      await connecting;
    }
    if (!identified) throw new Error(NO_CONNECTION);
    return identified;
  }

  async function connect(): Promise<void> {
    redis ??= await create();
    // In any other state it is connecting already, or waits before it tries again.
    if (redis.status !== "wait") return;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unreachable("no response in time")), MAX_WAIT_MS);
    });
    await Promise.race([redis.connect(), tooLong]).finally(() => clearTimeout(timer));
  }

  function explain(error: unknown): StoreUnavailable {
    if (error instanceof StoreUnavailable) return error;
    const code = codeOf(error);
    if (code === "OOM") return new StoreUnavailable("The Safelight server’s Redis is full.");
    // The connection reported its trouble by an event of its own, not with the command.
    return unreachable(code === NO_CONNECTION && trouble !== "" ? trouble : code);
  }

  return {
    connected,
    explain,
    async close() {
      redis?.disconnect();
    },
  };
}

/** Rejects when the Redis may forget by itself, or does not say who it is. */
async function identify(redis: ScriptedRedis): Promise<Connected> {
  const info = new Map(
    (await redis.info())
      .split("\r\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
  );
  const runId = info.get("run_id");
  const policy = info.get("maxmemory_policy") ?? "noeviction";
  if (!runId) throw new StoreUnavailable("The Safelight server’s Redis does not identify itself (INFO).");
  if (policy !== "noeviction" && info.get("maxmemory") !== "0") {
    throw new StoreUnavailable(
      `The Safelight server’s Redis may delete records (maxmemory-policy ${policy}). The policy must be noeviction.`,
    );
  }
  return { redis, runId };
}

function unreachable(code: string): StoreUnavailable {
  return new StoreUnavailable(`The Safelight server cannot use its Redis (${code}).`);
}

/** One word: the system's code, Redis's own, or that time ran out. Never the address, which may hold a password. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "error";
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error.message === "Command timed out") return "no response in time";
  return /^[A-Z]{2,}/.exec(error.message)?.[0] ?? NO_CONNECTION;
}
