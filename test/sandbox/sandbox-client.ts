import type { JsonRecord } from "#lib/read.ts";
import { createSandbox, type Sandbox } from "#sandbox/create-sandbox.ts";
import type { MediaSpec } from "#sandbox/media/make-media.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";

export const ORIGIN = "http://sandbox.test";
export const START_MS = Date.UTC(2026, 4, 1, 12);

export interface Answer {
  status: number;
  headers: Headers;
  /** The body, where it is JSON; otherwise an empty object. */
  json: JsonRecord;
  text: string;
}

export interface SandboxClient {
  sandbox: Sandbox;
  /** Moves the injected clock. */
  pass(seconds: number): void;
  /** A request below the queue base address. */
  queue(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A request to a whole address, without a key unless one is given. */
  raw(method: string, url: string, options?: CallOptions): Promise<Answer>;
  estimate(model: string, payload: JsonRecord, options?: CallOptions): Promise<Answer>;
  submit(model: string, payload: JsonRecord, options?: CallOptions): Promise<Answer>;
  job(requestId: unknown, options?: CallOptions): Promise<Answer>;
}

export interface CallOptions {
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A sandbox with a clock that stands still until `pass`, and media that tells what it was made from. */
export function openSandbox(options: SandboxOptions = {}): SandboxClient {
  let nowMs = START_MS;
  const sandbox = createSandbox({ now: () => nowMs, makeMedia: describeMedia, ...options });
  const raw = async (method: string, url: string, { key, body, headers }: CallOptions = {}): Promise<Answer> => {
    const request = new Request(url, {
      method,
      headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) }),
    });
    const response = await sandbox.fetch(request);
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: parse(text), text };
  };
  const queue = (method: string, path: string, call: CallOptions = {}) =>
    raw(method, `${ORIGIN}/sandbox/api/v1/queue${path}`, { key: "sandbox-key", ...call });
  return {
    sandbox,
    pass: (seconds) => {
      nowMs += seconds * 1000;
    },
    queue,
    raw,
    estimate: (model, payload, call) =>
      queue("POST", "/apikey/requests/estimate", { body: { model, payload }, ...call }),
    submit: (model, payload, call) => queue("POST", "/apikey/requests", { body: { model, payload }, ...call }),
    job: (requestId, call) => queue("GET", `/apikey/requests/${String(requestId)}`, call),
  };
}

/** The message of an error body (spec 7). */
export function errorOf(answer: Answer): { message: string; type?: string } {
  return answer.json.error as { message: string; type?: string };
}

export interface WireMedia {
  id: string;
  type: string;
  url: string;
  width?: number;
  height?: number;
}

export function mediaOf(answer: Answer): WireMedia[] {
  return (answer.json.outcome as { media_urls: WireMedia[] } | undefined)?.media_urls ?? [];
}

export function requestsOf(answer: Answer): JsonRecord[] {
  return answer.json.requests as JsonRecord[];
}

function parse(text: string): JsonRecord {
  try {
    return JSON.parse(text) as JsonRecord;
  } catch {
    return {};
  }
}

async function describeMedia(spec: MediaSpec) {
  return {
    bytes: new TextEncoder().encode(JSON.stringify(spec)),
    contentType: { image: `image/${spec.format}`, video: "video/mp4", audio: "audio/wav" }[spec.kind],
  };
}
