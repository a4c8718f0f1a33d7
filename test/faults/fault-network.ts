import type { Sandbox } from "#sandbox/create-sandbox.ts";
import type { BrowserTime } from "./browser-time.ts";

export const ORIGIN = "http://localhost:4173";
export const QUEUE = `${ORIGIN}/sandbox/api/v1/queue`;
export const INFERENCE = `${ORIGIN}/sandbox`;

const ADDRESSES = {
  models: ["GET", /\/apikey\/models$/],
  model: ["GET", /\/apikey\/models\/[^/]+$/],
  estimate: ["POST", /\/apikey\/requests\/estimate$/],
  submit: ["POST", /\/apikey\/requests$/],
  job: ["GET", /\/apikey\/requests\/[^/]+$/],
  list: ["GET", /\/apikey\/requests$/],
  "upload-url": ["POST", /\/apikey\/upload-url$/],
  "signed PUT": ["PUT", /\/storage\/uploads\/[^/]+$/],
  "delete media": ["DELETE", /\/apikey\/requests\/[^/]+\/media$/],
  "media GET": ["GET", /\/storage\/(?!inputs\/|uploads\/).+$/],
  completions: ["POST", /\/v1\/completions$/],
  responses: ["POST", /\/v1\/responses$/],
  messages: ["POST", /\/v1\/messages$/],
  "v1/models": ["GET", /\/v1\/models$/],
} as const satisfies Record<string, readonly [string, RegExp]>;

export type Endpoint = keyof typeof ADDRESSES;
export const ENDPOINTS = Object.keys(ADDRESSES) as Endpoint[];

/** Which endpoint a request is for; undefined for an input that was uploaded before. */
export function endpointOf(method: string, url: string): Endpoint | undefined {
  const { pathname } = new URL(url);
  return ENDPOINTS.find((name) => ADDRESSES[name][0] === method && ADDRESSES[name][1].test(pathname));
}

export const isStorage = (url: string) => new URL(url).pathname.startsWith("/sandbox/storage/");

/** One request as it left the page. */
export interface Sent {
  endpoint: Endpoint | undefined;
  url: string;
  headers: Headers;
  redirect: string | undefined;
  credentials: string | undefined;
}

/** One request on its way, for a fault to do with it what it likes. */
export interface Exchange {
  endpoint: Endpoint | undefined;
  url: string;
  /** How many requests have met this fault, this one included. */
  count: number;
  /** Gives the request to the service; its answer. Each call delivers it once more. */
  serve(): Promise<Response>;
  followsRedirects: boolean;
  /** A browser asks the other origin before it sends this. */
  hasPreflight: boolean;
  isUpload: boolean;
  /** Of an upload: so much of it has gone. */
  progress(part: number): void;
  /** Lets time pass on the way. */
  wait(ms: number): Promise<void>;
  /** Resolves when the test lets held answers go. */
  held(): Promise<void>;
}

/** Makes the answer of a request. A rejection is a broken connection. */
export type Fault = (exchange: Exchange) => Promise<Response>;

type Meets = (endpoint: Endpoint | undefined, isKeyed: boolean) => boolean;

export interface PageRequest {
  method: string;
  url: string;
  headers: Headers;
  body: BodyInit | null;
  redirect?: string | undefined;
  credentials?: string | undefined;
  isUpload?: boolean;
  progress?: (part: number) => void;
}

/** All requests of a page, on their way to the sandbox; faults stand in front of it. */
export function createFaultNetwork(sandbox: Sandbox, time: BrowserTime) {
  const sent: Sent[] = [];
  let armed: { meets: Meets; fault: Fault; count: number }[] = [];
  let page = 0;
  let letGo: (() => void)[] = [];
  const awaitingHeld: (() => void)[] = [];

  function send(request: PageRequest): Promise<Response> {
    const { method, url, headers, body, redirect, credentials, isUpload = false, progress = () => {} } = request;
    const endpoint = endpointOf(method, url);
    sent.push({ endpoint, url, headers, redirect, credentials });
    const serve = () => time.work(serveBySandbox(sandbox, { method, url, headers, body }));
    const met = armed.find(({ meets }) => meets(endpoint, !isStorage(url)));
    if (!met) return serve();
    met.count += 1;
    const { fault, count } = met;
    return fault({
      endpoint,
      url,
      count,
      serve,
      followsRedirects: redirect !== "error",
      hasPreflight: headers.has("authorization") || isUpload,
      isUpload,
      progress,
      wait: time.elsewhere,
      held: () =>
        new Promise((resolve) => {
          letGo.push(resolve);
          for (const heard of awaitingHeld.splice(0)) heard();
        }),
    });
  }

  const fetch: typeof globalThis.fetch = (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      const isAlive = ofThisPage();
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", () => isAlive() && reject(signal.reason), { once: true });
      const { method = "GET", body = null, redirect, credentials } = init;
      send({ method, url: String(input), headers: new Headers(init.headers), body, redirect, credentials }).then(
        (response) => isAlive() && resolve(cutByAbort(response, signal ?? undefined, time.noteActivity)),
        (error: unknown) => isAlive() && reject(error),
      );
    });

  function ofThisPage(): () => boolean {
    const mine = page;
    return () => mine === page;
  }

  return {
    fetch,
    send,
    sent,
    ofThisPage,
    noteActivity: time.noteActivity,
    isOnline: true,
    arm(meets: Meets, fault: Fault) {
      armed.push({ meets, fault, count: 0 });
    },
    heal() {
      armed = [];
      this.isOnline = true;
    },
    release() {
      const waiting = letGo;
      letGo = [];
      for (const go of waiting) go();
    },
    /** Resolves once an answer is held back. */
    whenHeld: () =>
      new Promise<void>((resolve) => {
        if (letGo.length > 0) resolve();
        else awaitingHeld.push(resolve);
      }),
    /** The page dies: no answer reaches it any more. */
    killPage() {
      page += 1;
    },
    count: (endpoint: Endpoint) => sent.filter((request) => request.endpoint === endpoint).length,
  };
}

export type FaultNetwork = ReturnType<typeof createFaultNetwork>;

async function serveBySandbox(sandbox: Sandbox, { method, url, headers, body }: PageRequest): Promise<Response> {
  const init: RequestInit & { duplex?: "half" } = { method, headers, body, duplex: "half" };
  const response = await sandbox.fetch(new Request(url, init));
  if (response.type === "error") throw new TypeError("Failed to fetch");
  return response;
}

/** The answer as `fetch` gives it: an abort breaks its body off. */
function cutByAbort(response: Response, signal: AbortSignal | undefined, noteActivity: () => void): Response {
  const reader = response.body?.getReader();
  if (!reader) return response;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const stop = () => {
          controller.error(signal?.reason);
          reader.cancel().catch(() => {});
        };
        signal?.addEventListener("abort", stop, { once: true });
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          noteActivity();
          if (signal?.aborted) return;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          if (!signal?.aborted) controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
