import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RunningServer } from "../../../src/host/start-server.ts";
import { gate } from "../gate.ts";
import {
  ask,
  FROM_PAGE,
  openSession,
  sessionOf,
  startRelay,
  startUpstream,
  UNREACHABLE,
  type Upstream,
} from "./relay-world.ts";

let upstream: Upstream;
let host: RunningServer;
let behave: (incoming: IncomingMessage, outgoing: ServerResponse) => void;

beforeAll(async () => {
  upstream = await startUpstream((incoming, outgoing) => behave(incoming, outgoing));
  host = await startRelay(upstream.origin);
});
beforeEach(() => {
  behave = (_incoming, outgoing) => outgoing.end("hello");
});
afterAll(async () => {
  await host.close(0);
  await upstream.close();
});

const relayed = (use: string, path: string, init: RequestInit & { duplex?: "half" } = {}) =>
  fetch(`${host.url}${upstream.via(use, path)}`, {
    ...init,
    headers: { ...FROM_PAGE, ...sessionOf(host.url), Origin: host.url, ...init.headers },
  });

describe("what the relay passes on", () => {
  it("keeps path, query and method as they were", async () => {
    behave = (incoming, outgoing) => outgoing.end(`${incoming.method} ${incoming.url}`);
    const path = "/api/v1/queue/apikey/models/a%2Fb%20c?x=1&y=%2F+z";
    expect((await ask(host.url, upstream.via("api", path))).body).toBe(`GET ${path}`);
    expect((await ask(host.url, upstream.via("api", path), { method: "DELETE" })).body).toBe(`DELETE ${path}`);
  });

  it("puts the key where the page has its place, and sends nothing about the page or its browser", async () => {
    const seen: IncomingMessage["headers"][] = [];
    behave = (incoming, outgoing) => {
      seen.push(incoming.headers);
      outgoing.end();
    };
    const halves = await openSession(host.url, upstream.origin, "a-key-of-the-session");
    const headers = {
      Authorization: "Bearer [key]",
      Cookie: `session=1; ${halves.Cookie}`,
      Origin: host.url,
      Referer: `${host.url}/create`,
      "X-Forwarded-For": "1.2.3.4",
      Connection: "X-Custom-Hop, keep-alive",
      "X-Custom-Hop": "1",
      "X-Custom": "2",
      "X-HTTP-Method-Override": "PUT",
      "X-Original-URL": "/account",
    };
    await ask(host.url, upstream.via("api", "/"), { headers });
    const names = ["accept-encoding", "authorization", "connection", "host", "user-agent"];
    expect(Object.keys(seen[0] ?? {}).sort()).toEqual(names);
    expect(seen[0]).toMatchObject({
      host: new URL(upstream.origin).host,
      authorization: "Bearer a-key-of-the-session",
    });

    await ask(host.url, upstream.via("api", "/"), { headers: { ...headers, "X-Api-Key": "[key]" } });
    expect(seen[1]).toMatchObject({ "x-api-key": "a-key-of-the-session" });
    expect(seen[1]).not.toHaveProperty("authorization");

    await ask(host.url, upstream.via("api", "/"), { headers: { ...headers, Authorization: "Bearer of-the-page" } });
    expect(seen[2]).toMatchObject({ authorization: "Bearer a-key-of-the-session" });
  });

  it.each(["media", "upload"])("sends no key to storage (%s)", async (use) => {
    behave = (incoming, outgoing) => outgoing.end(JSON.stringify(incoming.headers));
    const headers = { Authorization: "Bearer sandbox-key", "X-Api-Key": "k", "X-Custom": "1", Range: "bytes=0-1" };
    const method = use === "upload" ? "PUT" : "GET";
    const sent = JSON.parse((await ask(host.url, upstream.via(use, "/"), { method, headers })).body);
    expect(Object.keys(sent).sort()).toEqual(
      ["connection", "host", "range", "user-agent", ...(use === "upload" ? ["content-length"] : [])].sort(),
    );
  });

  it("returns status and headers, except those that change the studio's own origin", async () => {
    behave = (_incoming, outgoing) => {
      outgoing.writeHead(418, {
        "Content-Type": "application/json",
        ETag: '"1"',
        "X-Request-Id": "abc",
        "Set-Cookie": "a=1",
        "Access-Control-Allow-Origin": "*",
        "Strict-Transport-Security": "max-age=1",
        "Content-Security-Policy": "default-src *",
        "Clear-Site-Data": '"*"',
        "X-Safelight-Relay": "forged",
      });
      outgoing.end("{}");
    };
    const { status, headers } = await ask(host.url, upstream.via("api", "/"));
    expect(status).toBe(418);
    expect(headers).toMatchObject({ "content-type": "application/json", "x-request-id": "abc" });
    expect(headers["content-security-policy"]).toBe("default-src 'none'; sandbox; frame-ancestors 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    for (const name of [
      "etag",
      "set-cookie",
      "access-control-allow-origin",
      "strict-transport-security",
      "clear-site-data",
      "x-safelight-relay",
    ]) {
      expect(headers[name]).toBeUndefined();
    }
  });

  it("returns the service's Date, and none of the host's own where it sends none", async () => {
    const date = "Mon, 02 Jan 2006 15:04:05 GMT";
    behave = (_incoming, outgoing) => outgoing.writeHead(200, { Date: date }).end();
    expect((await ask(host.url, upstream.via("api", "/"))).headers.date).toBe(date);
    behave = (_incoming, outgoing) => {
      outgoing.sendDate = false;
      outgoing.end();
    };
    expect((await ask(host.url, upstream.via("api", "/"))).headers.date).toBeUndefined();
  });

  it("passes ranges through, so that a clip can be seeked", async () => {
    behave = (incoming, outgoing) => {
      outgoing.writeHead(206, { "Content-Range": `${incoming.headers.range}/9`, "Content-Length": "2" });
      outgoing.end("ab");
    };
    const answer = await ask(host.url, upstream.via("media", "/clip.mp4"), { headers: { Range: "bytes=3-4" } });
    expect([answer.status, answer.headers["content-range"], answer.body]).toEqual([206, "bytes=3-4/9", "ab"]);
  });
});

describe("streaming", () => {
  it("answers the first bytes before the service has sent the last", async () => {
    const release = gate();
    behave = async (_incoming, outgoing) => {
      outgoing.writeHead(200, { "Content-Type": "text/event-stream" });
      outgoing.write("data: first\n\n");
      await release.opened;
      outgoing.end("data: last\n\n");
    };
    const reader = (await relayed("api", "/")).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toEqual({ done: false, value: "data: first\n\n" });
    release.open();
    expect(await reader?.read()).toEqual({ done: false, value: "data: last\n\n" });
  });

  it("forwards the first bytes before the page has sent the last", async () => {
    const firstBytes = gate();
    behave = (incoming, outgoing) => {
      incoming.once("data", firstBytes.open);
      incoming.on("end", () => outgoing.end("done"));
    };
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("first"));
        await firstBytes.opened;
        controller.enqueue(new TextEncoder().encode("last"));
        controller.close();
      },
    });
    const answer = await relayed("upload", "/", { method: "PUT", body, duplex: "half" });
    expect(await answer.text()).toBe("done");
  });

  it("aborts upstream when the page aborts before the answer", async () => {
    const arrival = gate();
    const left = gate();
    behave = (_incoming, outgoing) => {
      outgoing.once("close", left.open);
      arrival.open();
    };
    const leaving = new AbortController();
    const answer = relayed("api", "/", { signal: leaving.signal });
    await arrival.opened;
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await left.opened;
  });

  it("aborts upstream when the page leaves in the middle of the answer", async () => {
    const left = gate();
    behave = (_incoming, outgoing) => {
      outgoing.once("close", left.open);
      outgoing.write("some");
    };
    const leaving = new AbortController();
    const answer = await relayed("media", "/", { signal: leaving.signal });
    await answer.body?.getReader().read();
    leaving.abort();
    await left.opened;
  });

  it("ends the answer early where the service does", async () => {
    behave = (_incoming, outgoing) => {
      outgoing.writeHead(200, { "Content-Length": "100" });
      outgoing.write("only this", () => outgoing.destroy());
    };
    await expect(ask(host.url, upstream.via("media", "/"))).rejects.toThrow();
  });
});

describe("when the service does not answer", () => {
  it("answers that nothing was sent when no connection could be made", async () => {
    const other = await startRelay(UNREACHABLE.origin);
    const answer = await ask(other.url, UNREACHABLE.via("api", "/"), { method: "POST", body: "{}" });
    expect([answer.status, answer.headers["x-safelight-relay"]]).toEqual([502, "unreachable"]);
    expect(JSON.parse(answer.body).error.message).toMatch(/ECONNREFUSED\). Nothing was sent/);
    await other.close(0);
  });

  it("drops the page's connection when the answer to a read is missing", async () => {
    behave = (_incoming, outgoing) => outgoing.destroy();
    await expect(ask(host.url, upstream.via("api", "/"))).rejects.toThrow();
  });

  // M2: a browser sends a POST again when its connection breaks, and never one that was answered.
  it("answers a POST whose answer is missing, so that no browser repeats it", async () => {
    behave = (_incoming, outgoing) => outgoing.destroy();
    const answer = await ask(host.url, upstream.via("api", "/"), { method: "POST", body: "{}" });
    expect([answer.status, answer.headers["x-safelight-relay"]]).toEqual([504, "outcome_unknown"]);
  });
});

describe("reused connections", () => {
  it("a read on a closed one is repeated on another", async () => {
    let sockets = 0;
    const dropping = await startUpstream((incoming, outgoing) => {
      const isSecondOnSocket = incoming.socket.bytesWritten > 0;
      if (isSecondOnSocket) incoming.socket.destroy();
      else {
        sockets += 1;
        outgoing.end("hello");
      }
    });
    const other = await startRelay(dropping.origin);
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await ask(other.url, dropping.via("api", "/"))).body).toBe("hello");
    }
    expect(sockets).toBe(5);
    await other.close(0);
    await dropping.close();
  });

  it("a request with a body never uses one", async () => {
    const seen: number[] = [];
    behave = (incoming, outgoing) => {
      seen.push(incoming.socket.bytesWritten);
      incoming.resume().on("end", () => outgoing.end("ok"));
    };
    for (let turn = 0; turn < 3; turn += 1) {
      await ask(host.url, upstream.via("api", "/"), { method: "POST", body: "{}" });
    }
    expect(seen).toEqual([0, 0, 0]);
  });
});
