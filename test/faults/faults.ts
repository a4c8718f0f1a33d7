import { type Exchange, type Fault, isStorage } from "./fault-network.ts";

/** What a fault comes to for the page, whatever caused it. */
export type Sort =
  /** The connection broke, and the service had not got the request. */
  | "lost"
  /** The same, after the service had done what was asked. */
  | "answer lost"
  /** Headers came, and then the connection broke. */
  | "cut"
  | "silent"
  | "drip"
  /** A status, in the service's own words, or in a storage's. */
  | `status ${number}`
  | "busy once"
  /** A status with the page of a gateway, after the service had done what was asked. */
  | `gateway ${number}`
  /** 200 with a record that says something else; with no record; with no JSON; with too much of a record. */
  | "other record"
  | "no record"
  | "web page"
  | "endless"
  | "too deep"
  /** The right answer, with more in it. */
  | "hostile"
  | "redirect"
  | "no CORS"
  | "offline"
  | "revoked"
  | "abort"
  | "close"
  | "freeze"
  | "out of order"
  | "delivered twice"
  | "entries doubled";

export interface FaultCase {
  name: string;
  /** Where a fault comes in several forms, each is played. */
  variant: string;
  sort: Sort;
  /** Which requests meet it: those of the endpoint, all that carry the key, or all. */
  meets: "endpoint" | "keyed" | "all";
  fault: Fault;
}

const broken = () => new TypeError("Failed to fetch");
const never = () => new Promise<never>(() => {});
const DRIPS = 40;
const DRIP_MS = 7_000;
const CHUNK = new Uint8Array(1024 * 1024).fill(120);
const HUNDRED = 100;
const DEPTH = 100_000;

function refuse(status: number, message: string): Fault {
  return async ({ url }) => {
    if (!isStorage(url)) return Response.json({ error: { message } }, { status });
    return new Response(`<?xml version="1.0"?><Error><Message>${message}</Message></Error>`, { status });
  };
}

function gateway(status: number, words: string): Fault {
  return async ({ serve }) => {
    await serve();
    return page(`<html><head><title>${words}</title></head><body></body></html>`, status);
  };
}

const page = (html: string, status = 200) => new Response(html, { status, headers: { "content-type": "text/html" } });

/** The service does what is asked, and its answer is replaced by another text. */
function instead(text: string): Fault {
  return async ({ serve }) => {
    await serve();
    return new Response(text, { headers: { "content-type": "application/json" } });
  };
}

/** The answer with its text changed; bytes of files stay as they are. */
async function changed(response: Response, change: (text: string) => string): Promise<Response> {
  const { status, headers } = response;
  if (!/json|event-stream/.test(headers.get("content-type") ?? "")) return response;
  return new Response(change(await response.text()), { status, headers });
}

const HOSTILE =
  '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":"no","<img src=x onerror=alert(1)>":"\\u202egpj"';

function addHostile(text: string): string {
  return text.startsWith("{") ? `{${HOSTILE},${text.slice(1)}` : `data: {${HOSTILE}}\n\n${text}`;
}

function doubled(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, ...value].map(doubled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, doubled(entry)]));
}

/** A stream that says what it is and then goes on and on. */
function endless(first: Uint8Array): ReadableStream<Uint8Array> {
  let left = HUNDRED;
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(first),
      pull(controller) {
        left -= 1;
        controller.enqueue(CHUNK);
        if (left === 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

const PNG_START = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10]);
const JSON_START = new TextEncoder().encode('{"a":"');

async function drip({ serve, isUpload, progress, wait }: Exchange): Promise<Response> {
  if (isUpload) {
    for (let part = 1; part <= DRIPS; part += 1) {
      await wait(DRIP_MS);
      progress(part / DRIPS);
    }
    return serve();
  }
  const response = await serve();
  const bytes = new Uint8Array(await response.arrayBuffer());
  const size = Math.max(1, Math.ceil(bytes.length / DRIPS));
  let from = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (from >= bytes.length) return controller.close();
        await wait(DRIP_MS);
        controller.enqueue(bytes.slice(from, from + size));
        from += size;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}

async function cutOff({ serve }: Exchange): Promise<Response> {
  const response = await serve();
  const bytes = new Uint8Array(await response.arrayBuffer());
  let isGiven = bytes.length < 2;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isGiven) return controller.error(broken());
        isGiven = true;
        controller.enqueue(bytes.slice(0, bytes.length / 2));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: 200, headers: response.headers });
}

const lost =
  (afterMs: number) =>
  async ({ wait }: Exchange): Promise<Response> => {
    if (afterMs > 0) await wait(afterMs);
    throw broken();
  };
const held: Fault = async ({ serve, held: letGo }) => {
  const response = await serve();
  await letGo();
  return response;
};

type Row = readonly [sort: Sort, fault: Fault, more?: { variant?: string; meets?: FaultCase["meets"] }];

const ROWS: Record<string, readonly Row[]> = {
  offline: [["offline", lost(0), { meets: "all" }]],
  "DNS or TLS failure": [["lost", lost(50)]],
  "blocked by policy": [["lost", lost(0)]],
  "drop before the server": [["lost", lost(1000)]],
  "commit, then drop": [
    [
      "answer lost",
      async ({ serve }) => {
        await serve();
        throw broken();
      },
    ],
  ],
  "headers, then drop": [["cut", cutOff]],
  hang: [
    [
      "silent",
      async ({ serve }) => {
        await serve();
        return never();
      },
    ],
  ],
  drip: [["drip", drip]],
  "400": [["status 400", refuse(400, "The field model is missing.")]],
  "401": [["status 401", refuse(401, "Invalid API key.")]],
  "403": [["status 403", refuse(403, "This is not yours.")]],
  "404": [["status 404", refuse(404, "There is no such thing.")]],
  "405": [["status 405", refuse(405, "Method not allowed.")]],
  "408 or 421": [
    ["status 408", refuse(408, "Request timeout."), { variant: "408" }],
    ["status 421", refuse(421, "Misdirected request."), { variant: "421" }],
  ],
  "429 once": [
    ["busy once", (exchange) => (exchange.count > 1 ? exchange.serve() : refuse(429, "Slow down.")(exchange))],
  ],
  "429 for ever": [["status 429", refuse(429, "Slow down.")]],
  "500 as HTML": [["gateway 500", gateway(500, "Internal Server Error")]],
  "502 in the service's words": [["status 502", refuse(502, "All endpoints failed for this model.")]],
  "502 as HTML": [["gateway 502", gateway(502, "Bad Gateway")]],
  "503": [["status 503", refuse(503, "Routing is temporarily unavailable.")]],
  "504": [["gateway 504", gateway(504, "Gateway Time-out")]],
  "wrong shape": [
    ["other record", instead('{"unexpected":[1,2,3]}'), { variant: "record" }],
    ["no record", instead("7"), { variant: "number" }],
  ],
  "not JSON": [["web page", async () => page("<!doctype html><title>Sign in</title>")]],
  "100 MB": [
    [
      "endless",
      async ({ serve, endpoint }) => {
        await serve();
        return new Response(endless(endpoint === "media GET" ? PNG_START : JSON_START));
      },
    ],
  ],
  "hostile JSON": [
    ["too deep", instead("[".repeat(DEPTH) + "]".repeat(DEPTH)), { variant: "depth" }],
    ["hostile", async ({ serve }) => changed(await serve(), addHostile), { variant: "keys" }],
  ],
  "cross-origin redirect": [
    [
      "redirect",
      async ({ serve, followsRedirects }) => {
        if (!followsRedirects) throw broken();
        return serve();
      },
    ],
  ],
  "no CORS": [
    [
      "no CORS",
      async ({ serve, hasPreflight }) => {
        if (!hasPreflight) await serve();
        throw broken();
      },
    ],
  ],
  "abort, or the screen is left": [["abort", held]],
  "tab closed or reloaded": [["close", held]],
  "frozen for 10 minutes": [["freeze", (exchange) => (exchange.count > 1 ? exchange.serve() : held(exchange))]],
  "key revoked": [["revoked", refuse(401, "This API key was revoked."), { meets: "keyed" }]],
  "replies reordered or doubled": [
    [
      "out of order",
      (exchange) => (exchange.count > 1 ? exchange.serve() : held(exchange)),
      { variant: "out of order" },
    ],
    [
      "delivered twice",
      async ({ serve, count }) => {
        if (count === 1) await serve();
        return serve();
      },
      { variant: "delivered twice" },
    ],
    [
      "entries doubled",
      async ({ serve }) =>
        changed(await serve(), (text) => (text.startsWith("{") ? JSON.stringify(doubled(JSON.parse(text))) : text)),
      { variant: "entries doubled" },
    ],
  ],
};

export const FAULT_NAMES = Object.keys(ROWS);

/** The forms of a fault, in the order in which they are played. */
export function casesOf(name: string): FaultCase[] {
  return (ROWS[name] ?? []).map(([sort, fault, more]) => ({
    name,
    variant: more?.variant ?? "",
    sort,
    meets: more?.meets ?? "endpoint",
    fault,
  }));
}
