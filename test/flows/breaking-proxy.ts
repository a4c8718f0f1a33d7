import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import { constants, createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as pass } from "node:timers/promises";
import { makeCertificate } from "../setup/make-certificate.ts";
import type { Fates, Fault } from "./faults.ts";

export interface BreakingProxy {
  url: string;
  /** How many submits arrived here, repeats included. */
  submits(): number;
  /** Resolves at the next submit that gets so far, with where it is passed on to. */
  next(moment: Moment): Promise<string>;
  close(): void;
}

/** A submit is here, was passed on in whole, or its answer is here. */
export type Moment = "here" | "passed on" | "answered";

interface ProxyOptions {
  /** Where the requests for a path go; asked for each of them. The first that can be reached gets it. */
  targets: (path: string) => readonly string[];
  /** HTTP/2 over TLS instead of HTTP/1.1. */
  isHttp2?: boolean;
  fates?: Fates;
  /** For how long, in ms, a job is missing in the lists that come by here after it was made. Asked for each job. */
  listLagMs?: () => number;
  /** What the sender gets when the target breaks off; a gateway in front of several answers 502. */
  whenTargetBreaks?: () => "cut" | "502";
}

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;
type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };

const PER_CONNECTION = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "host"]);
const LATE_MS = 300;
const PAGE_502 = { status: 502, headers: { "content-type": "text/html" }, bytes: Buffer.from("<h1>Bad Gateway</h1>") };

/**
 * Stands between browser and host, or between host and service, and breaks submits as their fates say. It sends nothing
 * twice by itself.
 */
export async function startBreakingProxy(options: ProxyOptions): Promise<BreakingProxy> {
  const { fates, listLagMs = () => 0 } = options;
  const sockets = new Set<Socket>();
  const waiting = new Map<Moment, ((target: string) => void)[]>();
  const listedFrom = new Map<string, number>();
  let submits = 0;

  const tell = (moment: Moment, target: string) => {
    for (const resolve of waiting.get(moment)?.splice(0) ?? []) resolve(target);
  };

  async function handle(incoming: Incoming, outgoing: Outgoing): Promise<void> {
    const body = await readAll(incoming);
    const path = new URL(incoming.url ?? "/", "http://host").pathname;
    const isAboutSubmit = path.endsWith("/apikey/requests");
    const attempt = String(incoming.headers["x-safelight-intent"] ?? "");
    if (isAboutSubmit && incoming.method === "POST") return handleSubmit(incoming, outgoing, body, attempt);
    if (isAboutSubmit && incoming.method === "DELETE" && fates?.ofQuestion(attempt)) return cut(incoming);
    const answer = await forward(incoming, body);
    if (isAboutSubmit && incoming.method === "GET" && answer.status === 200)
      answer.bytes = withoutLateJobs(answer.bytes);
    write(outgoing, answer);
  }

  async function handleSubmit(incoming: Incoming, outgoing: Outgoing, body: Buffer, attempt: string): Promise<void> {
    submits += 1;
    tell("here", "");
    const prompt = promptIn(body);
    const fault = fates?.of(prompt, attempt || `${prompt}, delivery ${submits}`);
    if (fault?.when === "before") return harm(fault, incoming, outgoing, body);
    if (fault?.when === "late") {
      await harm(fault, incoming, outgoing, body);
      await pass(LATE_MS);
      await submit(incoming, body).catch(() => {});
      return;
    }
    const answer = await submit(incoming, body);
    if (fault) await harm(fault, incoming, outgoing, body, answer);
    else write(outgoing, answer);
  }

  /** Passes a submit on, and notes from when on lists show its job. */
  async function submit(incoming: Incoming, body: Buffer): Promise<Answer> {
    let passedTo = "";
    const answer = await forward(incoming, body, (target) => {
      passedTo = target;
      tell("passed on", target);
    });
    tell("answered", passedTo);
    const id = /"request_id":\s*"([^"]+)"/.exec(answer.bytes.toString())?.[1];
    if (id) listedFrom.set(id, performance.now() + listLagMs());
    return answer;
  }

  async function harm(fault: Fault, incoming: Incoming, outgoing: Outgoing, body: Buffer, answer?: Answer) {
    const { damage } = fault;
    if (damage.kind === "cut") return cut(incoming);
    if (damage.kind === "reset") return reset(incoming);
    if (damage.kind === "answer") {
      const { status, type, body: words } = damage;
      return write(outgoing, { status, headers: { "content-type": type }, bytes: Buffer.from(words) });
    }
    if (damage.kind === "wait") {
      await pass(damage.ms);
      return write(outgoing, answer ?? (await submit(incoming, body)));
    }
    if (answer === undefined) {
      for (const target of options.targets(incoming.url ?? "/").slice(0, 1)) await forwardHalf(target, incoming, body);
      return cut(incoming);
    }
    writeHead(outgoing, answer);
    await new Promise((resolve) => {
      (outgoing as ServerResponse).write(answer.bytes.subarray(0, answer.bytes.length / 2), resolve);
    });
    if ("stream" in incoming) reset(incoming);
    else incoming.socket.destroySoon();
  }

  async function forward(incoming: Incoming, body: Buffer, onSent?: (target: string) => void): Promise<Answer> {
    for (const target of options.targets(incoming.url ?? "/")) {
      try {
        return await send(target, incoming, body, onSent);
      } catch (error) {
        const isUnreachable = error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
        if (!isUnreachable) break;
      }
    }
    if (options.whenTargetBreaks?.() === "502") return { ...PAGE_502 };
    throw new TargetBroke();
  }

  const withoutLateJobs = (bytes: Buffer): Buffer => {
    const late = [...listedFrom].filter(([, atMs]) => atMs > performance.now()).map(([id]) => id);
    if (late.length === 0) return bytes;
    const list = JSON.parse(bytes.toString()) as { requests?: { request_id: string }[]; total?: number };
    const shown = list.requests?.filter(({ request_id }) => !late.includes(request_id));
    const hidden = (list.requests?.length ?? 0) - (shown?.length ?? 0);
    return Buffer.from(JSON.stringify({ ...list, requests: shown, total: (list.total ?? 0) - hidden }));
  };

  const answerer = (incoming: Incoming, outgoing: Outgoing) => {
    handle(incoming, outgoing).catch(() => cut(incoming));
  };
  const server = options.isHttp2
    ? createSecureServer({ ...(await makeCertificate()), allowHTTP1: false }, answerer)
    : createServer({ keepAliveTimeout: 60_000 }, answerer);
  server.on(options.isHttp2 ? "secureConnection" : "connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("sessionError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.isHttp2 ? "https" : "http"}://127.0.0.1:${port}`,
    submits: () => submits,
    next: (moment) =>
      new Promise((resolve) => {
        waiting.set(moment, [...(waiting.get(moment) ?? []), resolve]);
      }),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

class TargetBroke extends Error {}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function promptIn(body: Buffer): string {
  const { payload } = JSON.parse(body.toString()) as { payload?: Record<string, unknown> };
  return String(payload?.prompt ?? "");
}

function open(target: string, { method, url, headers }: Incoming, length: number) {
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith(":") && !PER_CONNECTION.has(name));
  const host = headers[":authority"] ?? headers.host;
  const framing = length > 0 || method === "POST" || method === "PUT" ? { "content-length": length } : {};
  const all = { ...Object.fromEntries(kept), ...framing, ...(host === undefined ? {} : { host: String(host) }) };
  // A connection of its own each: one that was kept may be closed at the other end.
  return request(target + url, { method, headers: all, agent: false });
}

function send(target: string, incoming: Incoming, body: Buffer, onSent?: (target: string) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const forwarded = open(target, incoming, body.length);
    forwarded.on("error", reject);
    forwarded.on("response", (answer) => {
      readAll(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, bytes }),
        reject,
      );
    });
    forwarded.end(body, () => onSent?.(target));
  });
}

/** Promises half more than it sends. Resolves when the half has left. */
function forwardHalf(target: string, incoming: Incoming, body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const forwarded = open(target, incoming, body.length);
    forwarded.on("error", () => resolve());
    forwarded.write(body.subarray(0, body.length / 2), () => {
      forwarded.destroy();
      resolve();
    });
  });
}

function writeHead(outgoing: Outgoing, { status, headers, bytes }: Answer): void {
  const kept = Object.entries(headers).filter(([name]) => !PER_CONNECTION.has(name));
  (outgoing as ServerResponse).writeHead(status, { ...Object.fromEntries(kept), "content-length": bytes.length });
}

function write(outgoing: Outgoing, answer: Answer): void {
  const hasBody = answer.status !== 204 && answer.status !== 304;
  if (hasBody) writeHead(outgoing, answer);
  else (outgoing as ServerResponse).writeHead(answer.status);
  (outgoing as ServerResponse).end(hasBody ? answer.bytes : undefined);
}

/** Destroys the connection, with whatever else is on it over HTTP/2. */
function cut(incoming: Incoming): void {
  if ("stream" in incoming) incoming.stream.session?.destroy();
  else incoming.socket.resetAndDestroy();
}

/** Ends this one exchange without an answer. */
function reset(incoming: Incoming): void {
  if ("stream" in incoming) incoming.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else incoming.socket.resetAndDestroy();
}
