import { connect } from "node:http2";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createHost } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { startServer } from "#host/start-server.ts";
import { makeCertificate } from "../setup/make-certificate.ts";
import { startTeamHost } from "./access/access-world.ts";
import { sendRaw } from "./relay/relay-world.ts";
import { send } from "./send.ts";

const PASSWORDLESS = { SAFELIGHT_ACCESS: "" };
const OPEN = { SAFELIGHT_SANDBOX: "open" };
const QUEUE = "/sandbox/api/v1/queue/apikey";
const SUBMIT = JSON.stringify({ model: "lumen-2", payload: { prompt: "A lamp" } });

/** Every path that takes a POST, and the other ways to change something. */
const CHANGES = [
  ["POST", "/session"],
  ["DELETE", "/session"],
  ["POST", "/relay/allow"],
  ["POST", `/relay/api${QUEUE}/requests`],
  ["POST", "/relay/api/sandbox/v1/messages"],
  ["POST", "/relay/api/https/api.example.com/api/v1/queue/apikey/requests"],
  ["PUT", "/relay/upload/https/storage.example.com/file"],
  ["POST", `${QUEUE}/requests`],
  ["POST", `${QUEUE}/requests/estimate`],
  ["POST", `${QUEUE}/upload-url`],
  ["POST", "/sandbox/v1/messages"],
  ["POST", "/sandbox/v1/responses"],
  ["POST", "/sandbox/v1/completions"],
  ["PUT", "/sandbox/settings"],
  ["PUT", "/sandbox/storage/uploads/x.png"],
  ["DELETE", `${QUEUE}/requests/x/media`],
] as const;

let host: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  const settings = readHostSettings({ PORT: "0" });
  const created = createHost(settings, undefined);
  const server = await startServer(created.fetch, settings);
  host = server.url;
  stop = async () => {
    await server.close(0);
    await created.close();
  };
});
afterAll(() => stop());

/** The jobs that the sandbox has. */
async function jobs(): Promise<unknown[]> {
  const headers = { "Sec-Fetch-Site": "same-origin", Authorization: "Bearer sandbox-key" };
  return JSON.parse((await send(host, `${QUEUE}/requests`, { method: "GET", headers })).body).requests;
}

const FORMS = [
  ["application/x-www-form-urlencoded", "model=lumen-2&prompt=a"],
  ["text/plain", `${SUBMIT}=`],
  ["multipart/form-data; boundary=x", `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${SUBMIT}\r\n--x--\r\n`],
  ["application/json", SUBMIT],
] as const;

const STRANGERS = [
  ["another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
  ["another site, in an old browser", { Origin: "https://evil.example" }],
  ["a page without an origin", { Origin: "null", "Sec-Fetch-Site": "cross-site" }],
  ["another port of this machine", { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site" }],
  ["this port over https", { Origin: "https://127.0.0.1", "Sec-Fetch-Site": "cross-site" }],
  [
    "a name that was pointed here",
    { Host: "evil.example", Origin: "http://evil.example", "Sec-Fetch-Site": "same-origin" },
  ],
  // The sandbox of one's own machine is there for programs, too: see below.
  ["a program, without an origin", {}],
] as const;

const isForPrograms = (path: string) => path.startsWith("/sandbox/");

describe("requests that the studio's own page does not make", () => {
  it.each(STRANGERS)("of %s change nothing, whatever their body", async (_, headers) => {
    const isProgram = Object.keys(headers).length === 0;
    for (const [method, path] of CHANGES.filter((change) => !isProgram || !isForPrograms(change[1]))) {
      for (const [type, body] of FORMS) {
        const given = { ...headers, "Content-Type": type, Authorization: "Bearer sandbox-key" };
        const answer = await send(host, path, { method, headers: given, body });
        expect([path, type, answer.status, answer.headers["x-safelight-relay"]]).toEqual([
          path,
          type,
          403,
          "not_same_origin",
        ]);
        expect(JSON.parse(answer.body).error.type).toBe("relay_not_same_origin");
        expect(answer.headers["set-cookie"]).toBeUndefined();
      }
    }
    expect(await jobs()).toEqual([]);
  });

  it("of a program reach the sandbox of this machine, as the service that it stands for", async () => {
    const headers = { Authorization: "Bearer sandbox-key" };
    const { status, body } = await send(host, `${QUEUE}/models`, { method: "GET", headers });
    expect([status, JSON.parse(body).model_ids.length > 0]).toEqual([200, true]);
    const typed = { ...headers, "Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document" };
    expect((await send(host, `${QUEUE}/models`, { method: "GET", headers: typed })).status).toBe(200);
  });

  it.each([
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.localhost",
    "[::1].evil.example",
    "x@127.0.0.1",
  ])("under the name %s are shown no page, no file and no answer", async (name) => {
    const team = await startTeamHost(PASSWORDLESS);
    for (const path of [
      "/",
      "/create",
      "/assets/app.js",
      "/relay",
      "/sandbox/settings",
      `${QUEUE}/models`,
      "/nowhere",
    ]) {
      const headers = { Host: name, Accept: "text/html", "Sec-Fetch-Site": "same-origin" };
      const { status } = await send(team, path, { method: "GET", headers });
      expect([path, status]).toEqual([path, expect.toBeOneOf([400, 403])]);
    }
  });

  it.each([
    "script",
    "style",
    "worker",
    "iframe",
    "object",
    "embed",
    "serviceworker",
    "sharedworker",
    "font",
    "manifest",
  ])("files of the sandbox are not loaded as %s", async (destination) => {
    const headers = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": destination };
    expect((await send(host, "/sandbox/storage/inputs/x.png", { method: "GET", headers })).status).toBe(403);
  });

  it.each(["empty", "image", "video", "audio", "document"])(
    "files of the sandbox are shown as %s on the studio's own page",
    async (destination) => {
      const headers = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": destination };
      // There is no such file: the sandbox itself says so.
      expect((await send(host, "/sandbox/storage/inputs/x.png", { method: "GET", headers })).status).toBe(404);
      const elsewhere = { ...headers, "Sec-Fetch-Site": "cross-site" };
      expect((await send(host, "/sandbox/storage/inputs/x.png", { method: "GET", headers: elsewhere })).status).toBe(
        403,
      );
    },
  );

  it("ask a sandbox that was opened for them, as they would a service", async () => {
    const open = await startTeamHost({ ...PASSWORDLESS, ...OPEN });
    const headers = { Origin: "https://elsewhere.example", Authorization: "Bearer sandbox-key" };
    const answer = await send(open, `${QUEUE}/models`, { method: "GET", headers });
    expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([200, "*"]);
  });

  it("a sandbox that is off answers nobody, and says so", async () => {
    const off = await startTeamHost({ ...PASSWORDLESS, SAFELIGHT_SANDBOX: "off" });
    const headers = { "Sec-Fetch-Site": "same-origin" };
    const answer = await send(off, "/sandbox/settings", { method: "GET", headers });
    expect([answer.status, answer.headers["x-safelight-relay"]]).toEqual([403, "not_allowed"]);
    expect(answer.body).toContain("SAFELIGHT_SANDBOX=on");
  });
});

describe("requests that no browser makes", () => {
  const own = () => new URL(host).host;
  const raw = (head: string) => sendRaw(host, `${head}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n\r\n`);

  it.each(["/healthz", "/relay", "/sandbox/settings", "/"])(
    "with two names of the host are refused at %s",
    async (path) => {
      for (const second of ["evil.example", own()]) {
        expect(await raw(`GET ${path} HTTP/1.1\r\nHost: ${own()}\r\nHost: ${second}`)).toMatch(/^HTTP\/1\.1 400 /);
      }
      expect(await raw(`GET ${path} HTTP/1.1\r\nHost: evil.example\r\nhOsT: ${own()}`)).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  it.each(["http://evil.example/relay", "http://127.0.0.1/relay", "evil", "*"])(
    "with %s in place of a path are refused",
    async (target) => {
      expect(await raw(`GET ${target} HTTP/1.1\r\nHost: ${own()}`)).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  it("without a name of the host, and with two lengths, are refused", async () => {
    expect(await raw("GET /relay HTTP/1.1\r\nX: y")).toMatch(/^HTTP\/1\.1 400 /);
    expect(
      await raw(`POST /session HTTP/1.1\r\nHost: ${own()}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked`),
    ).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.each([
    ["one long header", `X-Long: ${"x".repeat(20_000)}`],
    ["a thousand headers", Array.from({ length: 2000 }, (_, index) => `X-${index}: yyyyyyyy`).join("\r\n")],
    ["a long address", ""],
  ])("with %s are refused, and the connection is closed", async (name, headers) => {
    const path = name === "a long address" ? `/${"x".repeat(20_000)}` : "/healthz";
    const head = `GET ${path} HTTP/1.1\r\nHost: ${own()}${headers && `\r\n${headers}`}`;
    expect(await raw(head)).toMatch(/^HTTP\/1\.1 (431|400) /);
  });

  it("over HTTP/2 with another host than the connection's are refused", async () => {
    const tls = await makeCertificate();
    const settings = readHostSettings({ PORT: "0" });
    const created = createHost(settings, undefined);
    const server = await startServer(created.fetch, { ...settings, tls });
    const session = connect(server.url, { ca: tls.cert });
    onTestFinished(async () => {
      session.close();
      await server.close(0);
      await created.close();
    });
    const status = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ":path": "/healthz", ...headers }, { endStream: true });
        stream.on("response", (head) => resolve(head[":status"]));
        stream.on("error", reject);
        stream.resume();
      });
    expect(await status({})).toBe(200);
    const own = { ":authority": new URL(server.url).host };
    expect(await status({ ...own, host: "evil.example" })).toBe(400);
    expect(
      await status({ ":path": "/sandbox/settings", ":authority": "evil.example", "sec-fetch-site": "same-origin" }),
    ).toBe(403);
  });
});
