import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHost } from "../../src/host/create-host.ts";
import { readHostSettings } from "../../src/host/host-settings.ts";
import { type RunningServer, startServer } from "../../src/host/start-server.ts";
import { ask, openSession, startUpstream, type Upstream } from "./relay/relay-world.ts";

const NAVIGATION = { Accept: "text/html", "Sec-Fetch-Mode": "navigate" };
const dist = mkdtempSync(join(tmpdir(), "answer-headers-"));
let upstream: Upstream;
let host: ReturnType<typeof createHost>;
let server: RunningServer;

beforeAll(async () => {
  writeFileSync(join(dist, "index.html"), "<title>The page</title>");
  writeFileSync(join(dist, "favicon.svg"), "<svg/>");
  // A service that would loosen everything, if its word counted.
  upstream = await startUpstream((_incoming, outgoing) => {
    outgoing.setHeader("Content-Security-Policy", "default-src *");
    outgoing.setHeader("Referrer-Policy", "unsafe-url");
    outgoing.setHeader("Permissions-Policy", "camera=*");
    outgoing.setHeader("X-Frame-Options", "ALLOWALL");
    outgoing.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    outgoing.end("{}");
  });
  const settings = readHostSettings({
    PORT: "0",
    SAFELIGHT_DATA: dist,
    SAFELIGHT_UPSTREAMS: upstream.origin,
  });
  host = createHost(settings, dist);
  server = await startServer(host.fetch, { ...settings, port: 0 });
  await openSession(server.url, upstream.origin);
});
afterAll(async () => {
  await server.close(0);
  await host.close();
  await upstream.close();
  rmSync(dist, { recursive: true, force: true });
});

// K3, K10, K11.
describe("every answer of the host", () => {
  it.each<[string, () => string, Record<string, string>]>([
    ["a page", () => "/create", NAVIGATION],
    ["an address that is no screen", () => "/nowhere", NAVIGATION],
    ["a file", () => "/favicon.svg", {}],
    ["a missing file", () => "/assets/gone.js", {}],
    ["its health", () => "/healthz", {}],
    ["what it says about itself", () => "/relay", {}],
    ["a relayed answer of an API", () => upstream.via("api", "/apikey/models"), {}],
    ["a relayed file", () => upstream.via("media", "/picture.png"), {}],
    ["a refusal of the relay", () => "/relay/api/https/evil.example/", {}],
    ["a refusal of another origin", () => "/relay", { Origin: "https://evil.example" }],
    ["a refused name", () => "/create", { Host: "evil.example" }],
    ["the sandbox", () => "/sandbox/api/v1/queue/apikey/models", { Authorization: "Bearer sandbox-key" }],
    ["a refusal of the sandbox", () => "/sandbox/nowhere", {}],
  ])("refuses frames, windows of others, referrers and features: %s", async (_kind, path, headers) => {
    const answer = await ask(server.url, path(), { headers });
    expect(answer.headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "permissions-policy": expect.stringContaining("camera=()"),
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(answer.headers["content-security-policy"]).not.toContain("*");
  });
});
