import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { get } from "node:https";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHost } from "../../src/host/create-host.ts";
import { readHostSettings } from "../../src/host/host-settings.ts";
import { type RunningServer, startServer } from "../../src/host/start-server.ts";
import { makeCertificate } from "../setup/make-certificate.ts";
import { PAGE_FOLDER } from "./page-folder.ts";
import { type SessionHalves, startUpstream, type Upstream } from "./relay/relay-world.ts";

let upstream: Upstream;
let server: RunningServer;
let session: ClientHttp2Session;
let tls: { key: string; cert: string };
let host: ReturnType<typeof createHost>;
let halves: Partial<SessionHalves> = {};

beforeAll(async () => {
  tls = await makeCertificate();
  upstream = await startUpstream((incoming, outgoing) => {
    if (incoming.url === "/lost") outgoing.destroy();
    else if (incoming.url === "/date") outgoing.writeHead(200, { Date: "Mon, 02 Jan 2006 15:04:05 GMT" }).end();
    else if (incoming.url === "/headers") outgoing.end(JSON.stringify(incoming.headers));
    else incoming.pipe(outgoing);
  });
  const settings = {
    ...readHostSettings({ SAFELIGHT_UPSTREAMS: upstream.origin, SAFELIGHT_SANDBOX_SPEED: "60" }),
    port: 0,
  };
  host = createHost(settings, PAGE_FOLDER, { isForSession: () => true });
  server = await startServer(host.fetch, { ...settings, tls });
  session = connect(server.url, { ca: tls.cert });
  const opened = await openSession();
  halves = { Cookie: opened.cookie.split(";")[0] ?? "", "X-Safelight-Session": opened.ticket };
});
afterAll(async () => {
  session.close();
  await server.close(0);
  await host.close();
  await upstream.close();
});

function ask(headers: Record<string, string>, body?: string): Promise<{ head: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const all = { "sec-fetch-site": "same-origin", ...halves, ...headers };
    const stream = session.request(all, { endStream: body === undefined });
    stream.on("error", reject);
    stream.on("response", (head) => {
      text(stream).then((answer) => resolve({ head, body: answer }), reject);
    });
    // What has no body is over with its headers.
    if (body !== undefined) stream.end(body);
  });
}

async function openSession() {
  const order = { key: "sandbox-key", salt: "", queueBaseUrl: upstream.origin, inferenceBaseUrl: upstream.origin };
  const body = JSON.stringify(order);
  const head = { "content-type": "application/json", "content-length": String(body.length), origin: server.url };
  const answer = await ask({ ":method": "POST", ":path": "/session", ...head }, body);
  return { cookie: String(answer.head["set-cookie"]), ticket: String(JSON.parse(answer.body).ticket) };
}

const QUEUE = "/sandbox/api/v1/queue";
const submitBody = (prompt: string) => JSON.stringify({ model: "halide-turbo", payload: { prompt } });
const submit = (prompt: string) => {
  const headers = { authorization: "Bearer sandbox-key", "content-type": "application/json" };
  return ask({ ":method": "POST", ":path": `${QUEUE}/apikey/requests`, ...headers }, submitBody(prompt));
};

describe("the host over HTTP/2 with TLS", () => {
  it("serves the sandbox", async () => {
    const { head, body } = await submit("a quiet clip");
    expect(head[":status"]).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ model: "halide-turbo", status: "queued" });
  });

  it("breaks only the stream whose reply is lost", async () => {
    await expect(submit("lose:reply")).rejects.toThrow();
    expect((await ask({ ":path": "/healthz" })).body).toBe("ok");
    expect(session.closed).toBe(false);
  });

  it("opens a session whose cookie goes to this very origin only, and over TLS only", async () => {
    const { cookie } = await openSession();
    expect(cookie).toMatch(
      /^__Host-safelight-session-[0-9a-f]+-[\w-]{22}=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  it("relays requests and answers", async () => {
    const { head, body } = await ask({ ":method": "POST", ":path": upstream.via("api", "/echo") }, "there and back");
    expect([head[":status"], body]).toEqual([200, "there and back"]);
  });

  it("forwards a body without a length over HTTP/1.1, and adds none", async () => {
    const path = { ":path": upstream.via("api", "/headers") };
    const post = JSON.parse((await ask({ ":method": "POST", ...path }, "{}")).body);
    expect(post).toMatchObject({ "transfer-encoding": "chunked" });
    const remove = JSON.parse((await ask({ ":method": "DELETE", ...path })).body);
    expect(Object.keys(remove).sort()).toEqual([
      "accept-encoding",
      "authorization",
      "connection",
      "host",
      "user-agent",
    ]);
    const sized = JSON.parse((await ask({ ":method": "POST", "content-length": "2", ...path }, "{}")).body);
    expect(sized).toMatchObject({ "content-length": "2" });
  });

  it("says that the service's answer is lost, and passes refusals on", async () => {
    await expect(ask({ ":path": upstream.via("api", "/lost") })).rejects.toThrow();
    const lost = await ask({ ":method": "POST", ":path": upstream.via("api", "/lost") }, "{}");
    expect([lost.head[":status"], lost.head["x-safelight-relay"]]).toEqual([504, "outcome_unknown"]);
    const refused = await ask({ ":path": "/relay/api/https/other.example.com/" });
    expect([refused.head[":status"], refused.head["x-safelight-relay"]]).toEqual([403, "not_allowed"]);
  });

  it("forwards a submit once, whole by way of a file, and answers a repeat and a question", async () => {
    const named = { ":path": upstream.via("api", "/echo"), "x-safelight-intent": "intent-0001" };
    const body = "z".repeat(2_000_000);
    const first = await ask({ ":method": "POST", ...named }, body);
    // Larger than what is kept, so it came as the service sent it.
    expect([first.head[":status"], first.body.length]).toEqual([200, 2_000_000]);
    for (const again of [
      await ask({ ":method": "POST", ...named }, body),
      await ask({ ":method": "DELETE", ...named }),
    ]) {
      expect([again.head[":status"], again.head["x-safelight-relay"]]).toEqual([409, "outcome_unknown"]);
    }
  });

  it("returns the service's Date in place of its own", async () => {
    expect((await ask({ ":path": upstream.via("api", "/date") })).head.date).toBe("Mon, 02 Jan 2006 15:04:05 GMT");
  });

  it("answers clients that speak only HTTP/1.1", async () => {
    const status = await new Promise((resolve, reject) => {
      get(`${server.url}/healthz`, { ca: tls.cert }, (answer) => resolve(answer.statusCode)).on("error", reject);
    });
    expect(status).toBe(200);
  });
});
