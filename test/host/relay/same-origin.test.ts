import { describe, expect, it } from "vitest";
import { requireSameOrigin } from "#host/relay/request-guard.ts";

const PUBLIC = "https://studio.example.com";

const asks = (headers: Record<string, string>, publicOrigin?: string) => () =>
  requireSameOrigin(headers, "api", publicOrigin);

describe("who may use the relay", () => {
  it.each([
    ["an address", { host: "127.0.0.1:4173", origin: "http://127.0.0.1:4173" }],
    ["localhost", { host: "localhost:4173", "sec-fetch-site": "same-origin" }],
    ["an IPv6 address", { host: "[::1]:4173", origin: "http://[::1]:4173" }],
    ["the public name", { host: "studio.example.com", origin: PUBLIC }],
    ["the public name, behind a proxy that names the host by its address", { host: "127.0.0.1:4173", origin: PUBLIC }],
    ["the public name over HTTP/2", { ":authority": "studio.example.com", origin: PUBLIC }],
  ])("accepts the studio's own page under %s", (_, headers) => {
    expect(asks(headers as unknown as Record<string, string>, PUBLIC)).not.toThrow();
  });

  it.each([
    [
      "a page under the public name over plain http",
      { host: "studio.example.com", origin: "http://studio.example.com" },
    ],
    ["another port", { host: "127.0.0.1:4173", origin: "http://127.0.0.1:8080" }],
    ["a name that was pointed here", { host: "evil.example:4173", origin: "http://evil.example:4173" }],
    ["a name that ends like the public one", { host: "evil-studio.example.com", "sec-fetch-site": "same-origin" }],
    ["a name below localhost", { host: "evil.localhost:4173", "sec-fetch-site": "same-origin" }],
    ["localhost with a dot", { host: "localhost.:4173", "sec-fetch-site": "same-origin" }],
    ["a host with a user name", { host: "evil@127.0.0.1", "sec-fetch-site": "same-origin" }],
    ["a host with a path", { host: "127.0.0.1/evil", "sec-fetch-site": "same-origin" }],
    ["no host", { "sec-fetch-site": "same-origin" }],
    ["an opaque origin", { host: "127.0.0.1:4173", origin: "null" }],
    ["neither an origin nor a browser's word", { host: "127.0.0.1:4173" }],
    [
      "an own origin that the browser contradicts",
      { host: "127.0.0.1:4173", origin: "http://127.0.0.1:4173", "sec-fetch-site": "cross-site" },
    ],
  ])("refuses %s", (_, headers) => {
    expect(asks(headers as unknown as Record<string, string>, PUBLIC)).toThrow();
  });
});

describe("under a public name over plain http, to which browsers do not say which page reads", () => {
  const PLAIN = "http://studio.lan:4619";
  const host = { host: "studio.lan:4619" };
  const own = { cookie: "a=b; safelight-session-4619-abc=x" };
  type Use = Parameters<typeof requireSameOrigin>[1];
  const reads = (use: Use, headers: Record<string, string>, method = "GET", publicOrigin = PLAIN) =>
    asksAs(use, { ...host, ...headers }, publicOrigin, method);
  const asksAs = (use: Use, headers: Record<string, string>, publicOrigin: string, method: string) => () =>
    requireSameOrigin(headers, use, publicOrigin, method);

  it("lets its own page read", () => {
    for (const use of ["api", "sandbox"] as const) expect(reads(use, {})).not.toThrow();
    expect(reads("media", own)).not.toThrow();
    expect(reads("media", own, "HEAD")).not.toThrow();
  });

  it("refuses what could change something, and a file that no page of this site asks for", () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) expect(reads("api", own, method), method).toThrow();
    expect(reads("upload", own, "PUT")).toThrow();
    expect(reads("media", {})).toThrow();
    expect(reads("media", { cookie: "other-safelight-session-=x" })).toThrow();
    expect(reads("form", own)).toThrow();
  });

  it("refuses another page that names itself, and another name", () => {
    expect(reads("api", { origin: "http://evil.example" })).toThrow();
    expect(reads("api", { "sec-fetch-site": "cross-site" })).toThrow();
    expect(reads("api", { host: "evil.example" })).toThrow();
  });

  it.each(["https://studio.example.com", "http://localhost:4173"])("changes nothing for %s", (publicOrigin) => {
    const { host } = new URL(publicOrigin);
    expect(asksAs("api", { host, ...own }, publicOrigin, "GET")).toThrow();
    expect(asksAs("media", { host, ...own }, publicOrigin, "GET")).toThrow();
  });
});
