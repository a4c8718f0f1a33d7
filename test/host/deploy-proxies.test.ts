import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp, type ServerResponse } from "node:http";
import { createServer, request as requestHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { PASSED_HEADERS } from "#host/relay/passed-headers.ts";
import { PASSED_ON_HEADERS } from "#host/security-headers.ts";
import { makeCertificate } from "../setup/make-certificate.ts";
import { startTeamHost } from "./access/access-world.ts";
import NAMES from "./relay/header-names.json" with { type: "json" };
import { openSession, sessionOf, startRelay, startUpstream, type Upstream } from "./relay/relay-world.ts";
import type { Answer } from "./send.ts";
import {
  hasCaddy,
  hasNginx,
  makeStudioFiles,
  NO_CADDY,
  NO_NGINX,
  readDeployFile,
  startCaddy,
  startNginx,
} from "./web-servers.ts";

const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
const ALL = lower([NAMES.known, NAMES.signIn, NAMES.gateways, NAMES.answers].flat());
/** What browsers, caches and proxies may act on in an answer. */
const ANSWERS = lower([NAMES.known, NAMES.gateways, NAMES.answers].flat());
/** What frames a message: no proxy passes it on as it is. */
const FRAMING = ["connection", "content-encoding", "content-length", "transfer-encoding", "upgrade"];
const FRAMING_OF_REQUESTS = [...FRAMING, "expect", "host", "http2-settings", "keep-alive", "te", "trailer"];
const OWN_ANSWERS = ["cache-control", "content-security-policy", "cross-origin-resource-policy", "referrer-policy"];

/** The names that follow these words in a file of `.deploy/`. */
const namesAfter = (file: string, pattern: RegExp) =>
  [...readDeployFile(file).matchAll(pattern)].map(([, name = ""]) => name.toLowerCase());

describe("the templates", () => {
  it("of a static build send the list that the host sends", () => {
    const sent = namesAfter("nginx.conf.template", /proxy_set_header (\S+)/g);
    const own = ["host", "connection", "user-agent", "accept-encoding"];
    expect(sent.sort()).toEqual([...PASSED_HEADERS.toApi, ...own].sort());
    expect(readDeployFile("nginx.conf.template")).toContain("proxy_pass_request_headers off;");
    const file = readDeployFile("Caddyfile");
    expect(namesAfter("Caddyfile", /request_header @\S+ (\S+)/g).sort()).toEqual([...PASSED_HEADERS.toApi].sort());
    expect(file.indexOf("request_header -**")).toBeLessThan(file.indexOf("request_header @"));
  });

  it("of a static build pass on what the host passes on, and hide every other header that is known", () => {
    const passed: readonly string[] = PASSED_HEADERS.fromApi;
    const [, copied = ""] = /^\s*include (.*)$/m.exec(readDeployFile("Caddyfile")) ?? [];
    expect(lower(copied.split(" ")).sort()).toEqual([...passed, "content-encoding"].sort());
    expect(readDeployFile("Caddyfile")).toContain("header_down -**");
    const hidden = namesAfter("nginx.conf.template", /proxy_hide_header ([^\s;]+)/g);
    const known = [...new Set(ANSWERS)].filter((name) => !passed.includes(name) && !FRAMING.includes(name));
    expect(hidden.sort()).toEqual([...known, "upgrade"].sort());
  });

  it("of a static build say at once that they are weaker than the host", () => {
    for (const file of ["Caddyfile", "nginx.conf.template"]) {
      expect(readDeployFile(file).split("\n")[1]).toMatch(/^# It is weaker than the Safelight server/);
    }
  });

  it("for the host name the proxy that has to be trusted, and overwrite what a client says of its address", () => {
    for (const file of ["host.Caddyfile", "host.nginx.conf.template"]) {
      const words = readDeployFile(file).replace(/\n# /g, " ");
      expect(words).toContain("SAFELIGHT_TRUSTED_PROXIES: on the same machine that is 127.0.0.1");
      expect(words).toContain("SAFELIGHT_ACCESS, without which it does not start");
    }
    expect(readDeployFile("host.nginx.conf.template")).toContain("X-Forwarded-For $remote_addr;");
    expect(readDeployFile("host.Caddyfile")).toContain("X-Forwarded-For {remote_host}");
  });
});

interface Place {
  url: string;
  ca?: string;
}

interface Order {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

function open({ url, ca }: Place, path: string, { method = "GET", headers = {}, body }: Order = {}) {
  const { hostname, port, protocol } = new URL(url);
  const length = body === undefined ? {} : { "Content-Length": String(body.length) };
  const options = { hostname, port, path, method, headers: { ...headers, ...length }, agent: false as const };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = protocol === "https:" ? requestHttps({ ...options, ca }) : requestHttp(options);
    outgoing.on("error", reject);
    outgoing.on("response", resolve);
    outgoing.end(body);
  });
}

async function ask(place: Place, path: string, order?: Order): Promise<Answer> {
  const incoming = await open(place, path, order);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: await text(incoming) };
}

/** A service that notes what came, and answers as it is told. */
async function startService(answer?: (incoming: IncomingMessage, outgoing: ServerResponse) => void) {
  const seen: IncomingHttpHeaders[] = [];
  const upstream = await startUpstream((incoming, outgoing) => {
    seen.push(incoming.headers);
    incoming.resume().on("end", () => (answer ?? ((_, out) => out.end("{}")))(incoming, outgoing));
  });
  onTestFinished(upstream.close);
  return { ...upstream, seen };
}

const canaries = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `canary ${name}`]));
const inGroups = (names: readonly string[]) =>
  Array.from({ length: Math.ceil(names.length / 60) }, (_, at) => names.slice(at * 60, at * 60 + 60));

const KINDS = [
  {
    name: "nginx",
    is: hasNginx,
    not: NO_NGINX,
    serveFiles: ({ origin }: Pick<Upstream, "origin">) =>
      startNginx("nginx.conf.template", {
        STUDIO_FILES: makeStudioFiles(),
        SERVICE: origin,
        SERVICE_HOST: new URL(origin).host,
      }),
    beforeHost: (url: string) => startNginx("host.nginx.conf.template", { STUDIO_HOST: new URL(url).host }),
  },
  {
    name: "Caddy",
    is: hasCaddy,
    not: NO_CADDY,
    serveFiles: ({ origin }: Pick<Upstream, "origin">) =>
      startCaddy("Caddyfile", { STUDIO_FILES: makeStudioFiles(), SERVICE: origin }),
    beforeHost: (url: string) => startCaddy("host.Caddyfile", { STUDIO_HOST: new URL(url).host }),
  },
];

for (const { name, is, not, serveFiles, beforeHost } of KINDS) {
  describe.skipIf(!is)(is ? `${name} with a static build` : `${name} with a static build: ${not}`, () => {
    it("sends the service a list of headers, and none else", async () => {
      const service = await startService();
      const place = await serveFiles(service);
      const swept = ALL.concat("x-api-key").filter((name) => !FRAMING_OF_REQUESTS.includes(name));
      for (const names of inGroups(swept)) {
        const { status } = await ask(place, "/service/a", { method: "POST", body: "{}", headers: canaries(names) });
        expect(status).toBe(200);
      }
      expect(service.seen).toHaveLength(inGroups(swept).length);
      const passed = service.seen.flatMap((headers) =>
        Object.entries(headers).flatMap(([name, value]) => (String(value).includes("canary") ? [name] : [])),
      );
      const encoding = name === "nginx" ? ["accept-encoding"] : [];
      expect(passed.sort()).toEqual([...PASSED_HEADERS.toApi, ...encoding].sort());
      const own = ["host", "connection", "user-agent", "accept-encoding", "content-length"];
      for (const headers of service.seen) {
        expect(headers).toMatchObject({ host: new URL(service.origin).host, "user-agent": "safelight" });
        expect([...PASSED_HEADERS.toApi, ...own]).toEqual(expect.arrayContaining(Object.keys(headers)));
      }
    });

    it("passes on a list of the service's headers, and does nothing that the others say", async () => {
      let names: readonly string[] = [];
      const service = await startService((_incoming, outgoing) => {
        outgoing.writeHead(200, { ...canaries(names), Date: "Mon, 02 Jan 2006 15:04:05 GMT" }).end("of the service");
      });
      const place = await serveFiles(service);
      const left = ["trailer", "keep-alive", "date", ...FRAMING];
      const swept = ANSWERS.concat("request-id", "x-request-id").filter((name) => !left.includes(name));
      const passed: string[] = [];
      for (names of inGroups(swept)) {
        const { status, headers, body } = await ask(place, "/service/a");
        expect([status, body, headers.date]).toEqual([200, "of the service", "Mon, 02 Jan 2006 15:04:05 GMT"]);
        expect(headers).toMatchObject({
          "cache-control": "no-store",
          "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
          "cross-origin-resource-policy": "same-origin",
          "referrer-policy": "no-referrer",
          "x-content-type-options": "nosniff",
        });
        for (const [name, value] of Object.entries(headers)) {
          if (String(value).includes("canary")) passed.push(name);
          else expect([...OWN_ANSWERS, ...FRAMING, "x-content-type-options", "date", "server"]).toContain(name);
        }
      }
      expect(passed.sort()).toEqual(PASSED_HEADERS.fromApi.filter((name) => name !== "date").sort());
    });

    it("keeps every character of path and query", async () => {
      const service = await startService((incoming, outgoing) => outgoing.end(incoming.url));
      const place = await serveFiles(service);
      for (const path of ["/apikey/models/a%2Fb%20c?x=1&y=%2F+z", "/v1/models?", "/a%3Ab/%C3%A4?q=%"]) {
        expect((await ask(place, `/service${path}`)).body).toBe(path);
      }
    });

    it("sends nothing to a service whose certificate is not its own", async () => {
      const tls = await makeCertificate();
      let came = 0;
      const other = createServer(tls, (_incoming, outgoing) => {
        came += 1;
        outgoing.end("{}");
      });
      await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void other.close());
      const place = await serveFiles({ origin: `https://localhost:${(other.address() as AddressInfo).port}` });
      const { status } = await ask(place, "/service/a", { headers: { Authorization: "Bearer a-key" } });
      expect([status, came]).toEqual([502, 0]);
    });

    it("does not follow where an answer points, inside or outside", async () => {
      const service = await startService((_incoming, outgoing) => {
        outgoing.writeHead(302, { Location: "https://evil.example/", "X-Accel-Redirect": "/index.html" }).end("moved");
      });
      const { status, headers, body } = await ask(await serveFiles(service), "/service/a");
      expect([status, headers.location]).toEqual([302, undefined]);
      expect(body).not.toContain("The page");
    });

    it("streams both ways at once, and sends a request once", async () => {
      let finish = () => {};
      const service = await startService((incoming, outgoing) => {
        if (incoming.url === "/lost") {
          outgoing.destroy();
          return;
        }
        outgoing.writeHead(200, { "Content-Type": "text/event-stream" }).write("data: 1\n\n");
        finish = () => outgoing.end("data: 2\n\n");
      });
      const place = await serveFiles(service);
      const incoming = await open(place, "/service/a", { method: "POST", body: "{}" });
      const chunks: string[] = [];
      for await (const chunk of incoming) {
        chunks.push(String(chunk));
        if (chunks.length === 1) finish();
      }
      expect(chunks).toEqual(["data: 1\n\n", "data: 2\n\n"]);
      const { status } = await ask(place, "/service/lost", { method: "POST", body: "{}" });
      expect([status, service.seen.length]).toEqual([502, 2]);
    });
  });

  describe.skipIf(!is)(is ? `${name} in front of the host` : `${name} in front of the host: ${not}`, () => {
    it("passes what the host passes, both ways, and does nothing that an answer says", async () => {
      let names: readonly string[] = [];
      const service = await startService((_incoming, outgoing) => {
        const accel = { "X-Accel-Redirect": "/healthz", "X-Accel-Limit-Rate": "1", "X-Sendfile": "/etc/hostname" };
        outgoing.writeHead(200, { ...canaries(names), ...accel }).end("of the service");
      });
      const host = await startRelay(service.origin);
      onTestFinished(() => host.close(0));
      const place = await beforeHost(host.url);
      await openSession(host.url, service.origin);
      const session = { ...sessionOf(host.url), Origin: place.url };
      const ofPage = (name: string) => /^(cookie|origin|sec-fetch-.*|x-safelight-.*)$/.test(name);
      const swept = ALL.filter((name) => ![...FRAMING_OF_REQUESTS, "date"].includes(name) && !ofPage(name));
      const [sent, returned]: [Set<string>, Set<string>] = [new Set(), new Set()];
      for (names of inGroups(swept)) {
        const headers = { ...canaries(names), ...session };
        const got = await ask(place, service.via("api", "/apikey/models"), { headers });
        expect([got.status, got.body]).toEqual([200, "of the service"]);
        expect(got.headers).toMatchObject({ ...PASSED_ON_HEADERS, "cache-control": "no-store" });
        for (const [name, value] of Object.entries(got.headers)) {
          if (String(value).includes("canary")) returned.add(name);
        }
        for (const name of Object.keys(service.seen.at(-1) ?? {})) sent.add(name);
      }
      const own = ["accept-encoding", "connection", "host", "user-agent"];
      expect([...sent].sort()).toEqual([...own, ...PASSED_HEADERS.toApi.filter((name) => name !== "x-api-key")].sort());
      const listed: readonly string[] = PASSED_HEADERS.fromApi;
      expect([...returned].sort()).toEqual(listed.filter((name) => swept.includes(name)).sort());
    });

    const signIn = (place: Place, index: number) =>
      ask(place, "/access", {
        method: "POST",
        body: "password=wrong&to=/",
        headers: {
          "Content-Type": "application/x-www-form-urlencoded",
          Origin: place.url,
          "X-Forwarded-For": `198.51.100.${index}`,
          Forwarded: `for=198.51.100.${index}`,
          "X-Real-IP": `198.51.100.${index}`,
        },
      });

    it("an address that a client makes up does not count: wrong passwords bring about a wait", async () => {
      const place = await beforeHost(await startTeamHost({ SAFELIGHT_TRUSTED_PROXIES: "127.0.0.1" }));
      const statuses: number[] = [];
      for (let index = 1; index <= 30; index += 1) statuses.push((await signIn(place, index)).status);
      expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
      expect(statuses).toContain(429);
    });

    it("nobody brings along the name of whom the proxy signs in", async () => {
      const environment = { SAFELIGHT_ACCESS: "header:X-Remote-User", SAFELIGHT_TRUSTED_PROXIES: "127.0.0.1" };
      const place = await beforeHost(await startTeamHost(environment));
      for (const name of ["X-Remote-User", "x-remote-user", "X_Remote_User"]) {
        const { status } = await ask(place, "/create", { headers: { [name]: "admin", Accept: "text/html" } });
        expect([name, status]).toEqual([name, 401]);
      }
    });

    it("a head that is too large is refused by the host, which can say why", async () => {
      const host = await startRelay();
      onTestFinished(() => host.close(0));
      const place = await beforeHost(host.url);
      const headers = { Cookie: `a=${"x".repeat(10_000)}; b=${"x".repeat(10_000)}` };
      expect((await ask(place, "/healthz", { headers })).status).toBe(431);
      const smaller = { Cookie: `a=${"x".repeat(12_000)}` };
      expect((await ask(place, "/healthz", { headers: smaller })).status).toBe(200);
    });
  });
}
