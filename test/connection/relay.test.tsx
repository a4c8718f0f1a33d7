import { describe, expect, it } from "vitest";
import { ALL_DIRECT, readRoutes } from "#connection/connection.ts";
import { fetchStored } from "#connection/fetch-stored.ts";
import { isElsewhere, openRelay, relayAddress, routedFetch } from "#connection/relay.ts";
import { serveAnswers, serveJson } from "../api/answer-server.ts";

describe("the relay's address of a service's address", () => {
  it.each([
    [
      "https://api.example.com/api/v1/queue/apikey/models",
      "/relay/api/https/api.example.com/api/v1/queue/apikey/models",
    ],
    ["https://api.example.com:8443/a%2Fb?x=1&y=%20", "/relay/api/https/api.example.com:8443/a%2Fb?x=1&y=%20"],
    ["http://127.0.0.1:9/", "/relay/api/http/127.0.0.1:9/"],
  ])("%s is %s", (url, path) => {
    expect(relayAddress("api", url)).toBe(`${location.origin}${path}`);
  });

  it("is not used for the studio's own origin", () => {
    expect(isElsewhere("/sandbox/api/v1/queue")).toBe(false);
    expect(isElsewhere(`${location.origin}/x`)).toBe(false);
    expect(isElsewhere("https://api.example.com")).toBe(true);
  });
});

describe("a host without a relay", () => {
  it("is no error and gives no relay", async () => {
    // Nothing listens at this page's own origin here, as nothing answers /relay on a static host.
    await expect(openRelay("api", "https://api.example.com")).resolves.toBe(false);
  });

  it("leaves the storage's refusal unchanged", async () => {
    await expect(fetchStored("http://127.0.0.1:4329/file.png")).rejects.toThrow();
  });
});

describe("requests of a connection", () => {
  it("go directly unless their own part is relayed", async () => {
    const { url, seen } = await serveJson({});
    const bases = { queueBaseUrl: `${url}/api/v1/queue`, inferenceBaseUrl: url };
    const send = routedFetch({ ...bases, routes: { ...ALL_DIRECT, inference: "relay" } });
    await send(`${url}/api/v1/queue/apikey/models`);
    await expect(send(`${url}/v1/models`)).rejects.toThrow();
    expect(seen.map((request) => request.url)).toEqual(["/api/v1/queue/apikey/models"]);
  });

  it("for a stored file carry no key and no cookie", async () => {
    const { url, seen } = await serveAnswers((_request, response) => response.end("bytes"));
    expect(await (await fetchStored(`${url}/file.png`)).text()).toBe("bytes");
    expect(seen[0]?.headers.authorization).toBeUndefined();
    expect(seen[0]?.headers.cookie).toBeUndefined();
  });
});

describe("the tab's stored routes", () => {
  it.each([[undefined], [null], ["relay"], [{ queue: "elsewhere", media: 7 }]])("are direct when %j says so", (raw) => {
    expect(readRoutes(raw)).toEqual(ALL_DIRECT);
  });

  it("are stored for each part", () => {
    expect(readRoutes({ queue: "relay", upload: "relay", other: "relay" })).toEqual({
      ...ALL_DIRECT,
      queue: "relay",
      upload: "relay",
    });
  });
});
