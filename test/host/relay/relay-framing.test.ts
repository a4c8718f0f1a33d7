import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { RunningServer } from "../../../src/host/start-server.ts";
import { gate } from "../gate.ts";
import { ask, sendRaw, sessionOf, startRelay, startUpstream, type Upstream } from "./relay-world.ts";

let upstream: Upstream;
let host: RunningServer;
let seen: { method: string | undefined; body: string; headers: IncomingMessage["headers"] }[];
let behave: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

beforeAll(async () => {
  upstream = await startUpstream((incoming, outgoing) => void behave(incoming, outgoing));
  host = await startRelay(upstream.origin);
});
beforeEach(() => {
  seen = [];
  behave = async (incoming, outgoing) => {
    seen.push({ method: incoming.method, headers: incoming.headers, body: await text(incoming) });
    outgoing.end("hello");
  };
});
afterAll(async () => {
  await host.close(0);
  await upstream.close();
});

/** A service that answers these characters to the first that it reads, and goes on reading. Gives its port. */
async function startRaw(answer: string): Promise<number> {
  const server = createServer((socket) => {
    socket.once("data", () => socket.write(answer));
    socket.on("data", () => undefined);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A request head as these lines, with what the page of the studio would send; the connection closes after its answer. */
const head = (method: string, use: string, ...lines: string[]) =>
  [
    `${method} ${upstream.via(use, "/x")} HTTP/1.1`,
    `Host: ${new URL(host.url).host}`,
    "Sec-Fetch-Site: same-origin",
    "Connection: close",
    ...(use === "api" ? Object.entries(sessionOf(host.url)).map(([name, value]) => `${name}: ${value}`) : []),
    ...lines,
    "",
    "",
  ].join("\r\n");

describe("the boundary between two requests", () => {
  it.each([
    ["a length and chunks", "Content-Length: 4", "Transfer-Encoding: chunked"],
    ["two lengths", "Content-Length: 4", "Content-Length: 40"],
    ["a negative length", "Content-Length: -4"],
    ["a length that is no number", "Content-Length: 4x"],
    ["chunks that are not the last encoding", "Transfer-Encoding: chunked, identity"],
    ["chunks under a misspelt name", "Transfer-Encoding : chunked"],
    ["a folded header", "X-Folded: a", " Transfer-Encoding: chunked"],
  ])("is never guessed: %s", async (_, ...lines) => {
    const answer = await sendRaw(host.url, `${head("POST", "api", ...lines)}0\r\n\r\nGET / HTTP/1.1\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual([]);
  });

  it("is the end of a GET's headers, whatever length it announces", async () => {
    await sendRaw(host.url, `${head("GET", "api", "Content-Length: 20")}${"x".repeat(20)}`);
    for (let turn = 0; turn < 3; turn += 1) expect((await ask(host.url, upstream.via("api", "/"))).body).toBe("hello");
    expect(seen.map(({ method, body }) => [method, body])).toEqual(Array(4).fill(["GET", ""]));
    expect(seen[0]?.headers).not.toHaveProperty("content-length");
  });

  it.each(["DELETE", "POST"])("is the last chunk of a chunked %s, even if it resembles a request", async (method) => {
    const inner = "GET /stolen HTTP/1.1\r\nHost: x\r\n\r\n";
    const chunks = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
    await sendRaw(host.url, `${head(method, "api", "Transfer-Encoding: chunked")}${chunks}`);
    expect(seen.map(({ method, body }) => [method, body])).toEqual([[method, inner]]);
  });

  it("is the announced length of an upload", async () => {
    await sendRaw(host.url, `${head("PUT", "upload", "Content-Length: 5")}bytes`);
    expect(seen).toMatchObject([{ body: "bytes", headers: { "content-length": "5" } }]);
    expect(seen[0]?.headers).not.toHaveProperty("transfer-encoding");
  });

  it("a complete address in the request line is not used as target", async () => {
    const answer = await sendRaw(host.url, head("GET", "api").replace("GET ", `GET ${upstream.origin}`));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual([]);
  });
});

describe("messages between request and answer", () => {
  it("Expect: 100-continue is answered by the host and not forwarded", async () => {
    const answer = await sendRaw(host.url, `${head("POST", "api", "Expect: 100-continue", "Content-Length: 2")}{}`);
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(seen[0]?.headers).not.toHaveProperty("expect");
  });

  it("the service's early hints are dropped, and its answer is passed on", async () => {
    behave = (_incoming, outgoing) => {
      outgoing.writeProcessing();
      outgoing.writeEarlyHints({ link: "</style.css>; rel=preload" }, () => outgoing.end("hello"));
    };
    const answer = await sendRaw(host.url, head("GET", "media"));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).not.toMatch(/link:/i);
  });

  it("a service that switches protocols gives no answer, without a wait", async () => {
    const port = await startRaw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
    const other = await startRelay(`http://127.0.0.1:${port}`);
    onTestFinished(() => other.close(0));
    const path = `/relay/api/http/127.0.0.1:${port}/`;
    const read = await ask(other.url, path);
    expect([read.status, read.headers["x-safelight-relay"]]).toEqual([502, "outcome_unknown"]);
    const headers = { "X-Safelight-Intent": "intent-0001" };
    expect((await ask(other.url, path, { method: "POST", body: "{}", headers })).status).toBe(409);
  });

  it("headers named in the service's Connection header are not passed on", async () => {
    behave = (_incoming, outgoing) => {
      outgoing.writeHead(200, { Connection: "close, Retry-After", "Retry-After": "1", "X-Request-Id": "2" });
      outgoing.end();
    };
    const { headers } = await ask(host.url, upstream.via("api", "/"));
    expect(headers).not.toHaveProperty("retry-after");
    expect(headers["x-request-id"]).toBe("2");
  });

  it("HEAD answers a file's headers without its body, once", async () => {
    const complaints = vi.spyOn(console, "error");
    onTestFinished(() => complaints.mockRestore());
    behave = (incoming, outgoing) => {
      outgoing.writeHead(200, { "Content-Length": "7", "Content-Type": "video/mp4" });
      outgoing.end(incoming.method === "HEAD" ? undefined : "a movie");
    };
    const answer = await ask(host.url, upstream.via("media", "/clip.mp4"), { method: "HEAD" });
    expect([answer.status, answer.headers["content-length"], answer.body]).toEqual([200, "7", ""]);
    expect(complaints).not.toHaveBeenCalled();
  });

  it.each([
    ["the service refuses before it has read it", (port: number) => `/relay/upload/http/127.0.0.1:${port}/x`],
    ["the relay may not go there", () => "/relay/upload/https/other.example.com/x"],
  ])("a large upload is read to its end, and the page learns %s", async (_, path) => {
    const port = await startRaw("HTTP/1.1 403 Forbidden\r\nContent-Length: 8\r\n\r\n<Error/>");
    const other = await startRelay(`http://127.0.0.1:${port}`);
    onTestFinished(() => other.close(0));
    // The connection lives on after it, which the second answer shows.
    const put = head("PUT", "upload", "Content-Length: 10000000").replace("close", "keep-alive");
    const next = head("GET", "upload").replace(/GET \S+/, "GET /healthz");
    const characters = put.replace(upstream.via("upload", "/x"), path(port)) + "x".repeat(10_000_000) + next;
    const answers = await sendRaw(other.url, characters);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 403", "HTTP/1.1 200"]);
  });

  it("a page that leaves during an upload ends it upstream too", async () => {
    const arrived = gate();
    const broken = gate();
    behave = (incoming) => {
      incoming.once("data", arrived.open);
      incoming.on("error", broken.open);
    };
    const half = sendRaw(host.url, `${head("PUT", "upload", "Content-Length: 100")}half`, { hangUp: true });
    await half;
    await arrived.opened;
    await broken.opened;
  });
});
