import { connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createHost } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { startServer } from "#host/start-server.ts";
import { makeCertificate } from "../../setup/make-certificate.ts";
import { cookieOf, PASSWORD, signIn, startTeamHost, visit } from "../access/access-world.ts";
import { PAGE_FOLDER } from "../page-folder.ts";
import { sendRaw } from "../relay/relay-world.ts";
import { send, times } from "../send.ts";

const SECRET = "4f1c0a9e2b7d86350e1f7a2c9b4d6e8031";

async function start(environment: Record<string, string> = {}, tls?: { key: string; cert: string }) {
  const settings = readHostSettings({ PORT: "0", ...environment });
  const host = createHost(settings, PAGE_FOLDER);
  const server = await startServer(host.fetch, { ...settings, tls });
  onTestFinished(async () => {
    await server.close(0);
    await host.close();
  });
  return server.url;
}

let tls: { key: string; cert: string };
beforeAll(async () => {
  tls = await makeCertificate();
});

/** Over HTTP/1.1 and over HTTP/2. */
const PROTOCOLS: [string, () => Promise<(headers: Record<string, string>, path?: string) => Promise<Answered>>][] = [
  [
    "HTTP/1.1",
    async () => {
      const base = await start();
      return (headers, path = "/") => send(base, path, { method: "GET", headers });
    },
  ],
  [
    "HTTP/2",
    async () => {
      const session = connect(await start({}, tls), { ca: tls.cert });
      onTestFinished(() => session.close());
      return (headers, path = "/") =>
        new Promise((resolve, reject) => {
          const stream = session.request({ ":path": path, ...headers }, { endStream: true });
          stream.on("error", reject);
          stream.on("response", (head) => {
            const status = Number(head[":status"]);
            text(stream).then((body) => resolve({ status, headers: head as Answered["headers"], body }), reject);
          });
        });
    },
  ],
];
type Answered = Awaited<ReturnType<typeof send>>;

describe.each(PROTOCOLS)("heads over %s", (_, open) => {
  it("of up to 16 kB are taken, and larger ones are not", async () => {
    const ask = await open();
    expect((await ask({ "X-Long": "x".repeat(15_000) })).status).toBe(200);
    for (const bytes of [16_500, 20_000, 40_000, 60_000]) {
      const { status, headers } = await ask({ "X-Long": "x".repeat(bytes) });
      expect([status, headers["x-safelight-relay"]]).toEqual([431, "too_large"]);
    }
    const many = (count: number) => Object.fromEntries(times(count, (n) => [`x-${n}`, "y"]));
    expect((await ask(many(80))).status).toBe(200);
    expect((await ask(many(120))).status).toBe(431);
    expect((await ask({}, `/${"x".repeat(20_000)}`)).status).toBe(431);
  });

  it("that cookies make too large get a page that names their host", async () => {
    const ask = await open();
    const cookie = times(12, (n) => `foreign-${n}=${"x".repeat(3000)}`).join("; ");
    const { status, headers, body } = await ask({ Cookie: cookie, Accept: "text/html" });
    expect(status).toBe(431);
    expect(body).toMatch(/<h1>Too many cookies for 127\.0\.0\.1:\d+<\/h1>/);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    // Without a person's wish nothing of theirs is removed.
    expect([headers["clear-site-data"], headers["set-cookie"]]).toEqual([undefined, undefined]);
  });
});

it("a head too large for the connection gets the page, too", async () => {
  const base = await start();
  const head = `GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\nCookie: a=${"x".repeat(70_000)}\r\n\r\n`;
  const answer = await sendRaw(base, head);
  expect(answer).toMatch(/^HTTP\/1\.1 431 [^\r]*\r\n/);
  expect(answer).toContain("Content-Security-Policy: default-src 'none'");
  expect(answer).toContain("<h1>Too many cookies for ");
  expect(answer.split("HTTP/1.1 ")).toHaveLength(2);
});

/** Sends a request, and bytes that are none once `when` has come. Resolves with all that came back until the end. */
function sendThenNonsense(base: string, when: string): Promise<string> {
  const { hostname, host, port } = new URL(base);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connectSocket(Number(port), hostname, () => socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      answer += chunk;
      if (answer.endsWith(when)) socket.write("nonsense\r\n\r\n");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}

async function startAnswering(body: BodyInit) {
  const place = { host: "127.0.0.1", port: 0 };
  const server = await startServer(async () => new Response(body), place);
  onTestFinished(() => server.close(0));
  return server.url;
}

it("what is no request is answered after an answer that is whole", async () => {
  const answer = await sendThenNonsense(await startAnswering("whole"), "whole");
  expect(answer.split("HTTP/1.1 ").map((part) => part.slice(0, 3))).toEqual(["", "200", "400"]);
});

it("what is no request is not answered into an answer that is under way", async () => {
  const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("begun")) });
  const answer = await sendThenNonsense(await startAnswering(body), "begun\r\n");
  expect(answer.split("HTTP/1.1 ").map((part) => part.slice(0, 3))).toEqual(["", "200"]);
});

it("a name of the host that is none is not shown on it", async () => {
  const base = await start();
  const head = `GET / HTTP/1.1\r\nHost: <script>\r\nAccept: text/html\r\nConnection: close\r\nCookie: a=${"x".repeat(20_000)}\r\n\r\n`;
  expect(await sendRaw(base, head)).not.toContain("<script>");
});

it.each([
  ["a header beyond the two thousandth", `${times(2100, () => "a:").join("\r\n")}\r\nHost: evil.example`, 431],
  ["two origins", "Origin: http://127.0.0.1\r\nOrigin: https://evil.example", 400],
  ["two sessions", "X-Safelight-Session: a\r\nX-Safelight-Session: b", 400],
  ["two lengths", "Content-Length: 1\r\nContent-Length: 2", 400],
  ["twice the same length", "Content-Length: 0\r\nContent-Length: 0", 400],
  ["two kinds of content", "Content-Type: application/json\r\nContent-Type: text/plain", 400],
  ["two sites", "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site", 400],
])("refuses %s", async (_, lines, status) => {
  const base = await start();
  const answer = await sendRaw(
    base,
    `GET /relay HTTP/1.1\r\nHost: ${new URL(base).host}\r\nConnection: close\r\n${lines}\r\n\r\n`,
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

it.each([
  ["TRACE /", 405],
  ["TRACK /", 400],
  ["PROPFIND /relay", 405],
  ["OPTIONS *", 400],
  ["GET http://evil.example/relay", 400],
  ["GET //evil.example/", 400],
])("answers %s with %d, and repeats nothing of it", async (line, status) => {
  const base = await start();
  const head = `Host: ${new URL(base).host}\r\nConnection: close\r\nX-Canary: canary-5f2e`;
  const answer = await sendRaw(base, `${line} HTTP/1.1\r\n${head}\r\n\r\n`);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).not.toContain("canary-5f2e");
  expect(answer).not.toMatch(/\r\nLocation:/i);
});

it("opens no tunnel: CONNECT is closed, and an upgrade is not taken", async () => {
  const base = await start();
  const host = new URL(base).host;
  expect(await sendRaw(base, `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toMatch(/^$|^HTTP\/1\.1 4/);
  const upgrade = `GET /relay HTTP/1.1\r\nHost: ${host}\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  expect(await sendRaw(base, upgrade)).toMatch(/^HTTP\/1\.1 403 /);
});

describe("cookies with our names that this host did not set", () => {
  it.each(["a page", "what a page asks first"])(
    "are removed with the answer to %s, and others are not",
    async (where) => {
      const base = await start({ SAFELIGHT_SESSION_SECRET: SECRET });
      const port = Number(new URL(base).port);
      const opened = await send(base, "/session", {
        headers: { Origin: base, "Content-Type": "application/json" },
        body: JSON.stringify({ key: "k", salt: "", queueBaseUrl: "/sandbox", inferenceBaseUrl: "/sandbox" }),
      });
      const own = cookieOf(opened);
      const realm = /^safelight-session-([0-9a-f]+)-/.exec(own)?.[1];
      const id = "x".repeat(22);
      const strange = `safelight-session-${realm}-${id}=junk; safelight-session-${realm}-${"y".repeat(22)}=not "a" seal`;
      const others = `safelight-session-${port.toString(16)}-${id}=theirs; safelight-other=1; __Host-safelight-session-${realm}-${id}=a`;
      const headers = { Cookie: `${own}; ${strange}; ${others}`, "Sec-Fetch-Site": "same-origin" };
      const answer =
        where === "a page" ? await visit(base, "/", headers) : await send(base, "/relay", { method: "GET", headers });
      expect(answer.headers["set-cookie"]).toEqual([
        `safelight-session-${realm}-${id}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
        `safelight-session-${realm}-${"y".repeat(22)}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
      ]);
    },
  );

  it("are removed where they are the gate's, and not where one of that name is good", async () => {
    const [base, neighbour] = [await startTeamHost(), await startTeamHost()];
    const own = cookieOf(await signIn(base, PASSWORD));
    const theirs = cookieOf(await signIn(neighbour, PASSWORD));
    const [name = ""] = own.split("=");
    const removed = (Cookie: string) => visit(base, "/", { Cookie }).then(({ headers }) => headers["set-cookie"]);
    expect(await removed(`${name}=junk; ${theirs}`)).toEqual([`${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`]);
    expect(await removed(`${own}; ${name}=junk; ${theirs}`)).toBeUndefined();
  });

  it("are removed also where they make the head too large", async () => {
    const base = await start({ SAFELIGHT_SESSION_SECRET: SECRET });
    const opened = await send(base, "/session", {
      headers: { Origin: base, "Content-Type": "application/json" },
      body: JSON.stringify({ key: "k", salt: "", queueBaseUrl: "/sandbox", inferenceBaseUrl: "/sandbox" }),
    });
    const realm = /^safelight-session-([0-9a-f]+)-/.exec(cookieOf(opened))?.[1];
    const Cookie = times(10, (n) => `safelight-session-${realm}-${`${n}`.repeat(22)}=${"x".repeat(3000)}`).join("; ");
    const answer = await visit(base, "/", { Cookie });
    expect([answer.status, answer.headers["set-cookie"]?.length]).toEqual([431, 10]);
  });

  it("are not taken over https without the prefix that binds them to this origin", async () => {
    const publicOrigin = "https://studio.example.com";
    const base = await startTeamHost({ SAFELIGHT_PUBLIC_ORIGIN: publicOrigin, SAFELIGHT_SESSION_SECRET: SECRET });
    const named = { Host: "studio.example.com", Origin: publicOrigin };
    const access = cookieOf(await signIn(base, PASSWORD, named));
    expect(access).toMatch(/^__Host-/);
    const bare = access.replaceAll("__Host-", "");
    expect((await visit(base, "/", { ...named, Cookie: access })).status).toBe(200);
    expect((await visit(base, "/", { ...named, Cookie: bare })).status).toBe(401);
  });
});

describe("an endless body", () => {
  const LEAST = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };
  const FORM = { ...LEAST, "Content-Type": "application/x-www-form-urlencoded" };

  it.each([
    ["POST", "/session", LEAST, 413],
    ["DELETE", "/session", LEAST, 401],
    ["POST", "/relay/allow", LEAST, 413],
    ["POST", "/relay/allow", { ...LEAST, "Content-Encoding": "gzip" }, 413],
    ["GET", "/relay", LEAST, 200],
    ["GET", "/healthz", LEAST, 200],
    ["POST", "/healthz", LEAST, 404],
    ["POST", "/access", FORM, 404],
    ["POST", "/nowhere", LEAST, 404],
    ["DELETE", "/nowhere", LEAST, 404],
    ["GET", "/", LEAST, 200],
    ["POST", "/relay/nowhere", LEAST, 400],
    ["POST", "/sandbox/v1/messages", LEAST, 401],
    ["POST", "/sandbox/v1/messages", { ...LEAST, Authorization: "Bearer sandbox-key" }, 413],
    ["PUT", "/sandbox/settings", LEAST, 413],
  ])("to %s %s is cut, or answered without its end", async (method, path, headers, status) => {
    const base = await start({ SAFELIGHT_ACCESS: "" });
    const { answer, sent } = await sendEndless(base, method, path, headers);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(sent).toBeLessThan(ENDLESS);
  });

  it.each([
    ["/access", 413],
    ["/access/end", 303],
    ["/nowhere", 403],
  ])("to POST %s of the gate is cut, or answered without its end", async (path, status) => {
    const { answer, sent } = await sendEndless(await startTeamHost(), "POST", path, FORM);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(sent).toBeLessThan(ENDLESS);
  });

  const ENDLESS = 40 * 1024 * 1024;

  /** Sends without an end, until the host closes the connection. Counts the bytes that it took. */
  function sendEndless(base: string, method: string, path: string, headers: Record<string, string>) {
    const { hostname, port, host } = new URL(base);
    const lines = Object.entries({ Host: host, Origin: base, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const piece = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    return new Promise<{ answer: string; sent: number }>((resolve) => {
      let answer = "";
      const socket = connectSocket(Number(port), hostname);
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}Transfer-Encoding: chunked\r\n\r\n`);
      const more = () => {
        if (socket.destroyed || socket.bytesWritten > ENDLESS) return socket.destroy();
        socket.write(piece, () => setImmediate(more));
      };
      more();
      socket.setEncoding("latin1").on("data", (data: string) => {
        answer += data;
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve({ answer, sent: socket.bytesWritten }));
    });
  }
});
