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
