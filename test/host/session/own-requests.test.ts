import { beforeEach, expect, it } from "vitest";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";
import { ask, sendRaw } from "../relay/relay-world.ts";
import {
  KEY,
  kindOf,
  openBrowser,
  type Service,
  type SessionHost,
  startService,
  startSessionHost,
} from "./session-world.ts";

let service: Service;
let other: Service;
let host: SessionHost;
let browser: ReturnType<typeof openBrowser>;
beforeEach(async () => {
  service = await startService();
  other = await startService();
  host = await startSessionHost(service, { SAFELIGHT_UPSTREAMS: `${service.origin} ${other.origin}` });
  browser = openBrowser(service);
  await browser.connect(host);
});

it.each([
  ["GET", "/q/apikey/models"],
  ["GET", "/q/apikey/models/a%2Fb%20c"],
  ["POST", "/q/apikey/requests/estimate"],
  ["POST", "/q/apikey/requests"],
  ["GET", "/q/apikey/requests?limit=20"],
  ["GET", "/q/apikey/requests/job-1"],
  ["DELETE", "/q/apikey/requests/job-1/media"],
  ["POST", "/q/apikey/upload-url"],
  ["GET", "/v1/models"],
  ["POST", "/v1/messages"],
])("%s %s is one of the studio's own, and gets the key", async (method, path) => {
  const body = method === "POST" ? { body: "{}" } : {};
  const answer = await ask(host.url, service.via("api", path), { method, headers: browser.headers(), ...body });
  expect(answer.status).toBe(200);
  expect(service.seen).toEqual([`${method} ${path} Bearer ${KEY}`]);
});

it.each([
  ["GET", "/account"],
  ["GET", "/v1/api_keys"],
  ["POST", "/q/apikey/models"],
  ["DELETE", "/v1/models"],
  ["DELETE", "/q/apikey/requests"],
  ["GET", "/apikey/models"],
  ["GET", "/q/apikey/models/../../account"],
  ["GET", "/q/apikey/models/%2e%2e%2f..%2faccount"],
  ["GET", "/q/apikey/models/%252e%252e"],
  ["GET", "/q/apikey/models/..;%2Faccount"],
  ["GET", "/q//apikey/models"],
  ["GET", "//q/apikey/models"],
  ["GET", "/q%2Fapikey/models"],
  ["GET", "/Q/apikey/models"],
  ["GET", "/q/apikey/requests/a/b"],
  ["GET", "/v1/models/"],
  ["GET", "/v1/models;a"],
  ["GET", "/v1/%6dodels"],
])("%s %s is none, and is not sent", async (method, path) => {
  const body = method === "POST" ? { body: "{}" } : {};
  const answer = await ask(host.url, service.via("api", path), { method, headers: browser.headers(), ...body });
  expect(kindOf(answer)).toEqual([403, "not_a_service_request"]);
  expect(service.seen).toEqual([]);
});

it("a question about a submit is for the host alone", async () => {
  const headers = browser.headers({ "X-Safelight-Intent": "intent-0001" });
  const question = { method: "DELETE", headers };
  expect(kindOf(await ask(host.url, service.via("api", "/q/apikey/requests"), question))).toEqual([410, "never_sent"]);
  const media = service.via("api", "/q/apikey/requests/job-1/media");
  expect(kindOf(await ask(host.url, media, question))).toEqual([403, "not_a_service_request"]);
  expect(service.seen).toEqual([]);
});

it("no other address gets it, also one that the host may reach", async () => {
  const answer = await ask(host.url, other.via("api", "/v1/models"), { headers: browser.headers() });
  expect(kindOf(answer)).toEqual([403, "not_a_service_request"]);
  const headers = browser.headers({ Authorization: "Bearer [key]" });
  await ask(host.url, other.via("media", "/v1/models"), { headers });
  expect(kindOf(await ask(host.url, other.via("download/x", "/v1/models"), { headers }))).toEqual([
    400,
    "not_a_target",
  ]);
  await ask(host.url, other.via("upload", "/v1/models"), { method: "PUT", headers: browser.headers(), body: "x" });
  expect(other.seen).toEqual(["GET /v1/models undefined", "PUT /v1/models undefined"]);
});

it("a complete address in the request line gets none", async () => {
  const lines = [`Host: ${new URL(host.url).host}`, `Cookie: ${browser.header()}`, "Sec-Fetch-Site: same-origin"];
  const head = [...lines, `X-Safelight-Session: ${browser.ticket}`, "Connection: close"].join("\r\n");
  for (const target of [`${other.origin}/v1/models`, `${host.url}${other.via("api", "/v1/models")}`]) {
    expect(await sendRaw(host.url, `GET ${target} HTTP/1.1\r\n${head}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 4/);
  }
  expect(other.seen).toEqual([]);
});

it("whatever a page asks, the key comes to the service's own paths only", async () => {
  const part = fc.constantFrom(
    ..."/ // . .. %2f %2F %2e %5c \\ ; ? # %00 %0d%0a q apikey models requests v1 messages job-1 media account @ : %25".split(
      " ",
    ),
  );
  const path = fc.array(part, { maxLength: 9 }).map((parts) => `/${parts.join("")}`);
  const start = fc.constantFrom("", "/q/apikey", "/q/apikey/models/", "/q/apikey/requests/", "/v1/models");
  const method = fc.constantFrom("GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS");
  const place = fc.constantFrom(
    new URL(service.origin).host,
    new URL(other.origin).host,
    `x@${new URL(other.origin).host}`,
    `${new URL(service.origin).host}@${new URL(other.origin).host}`,
  );
  const own =
    /^(GET \/q\/apikey\/models(\/[^/?#\\]+)?|(GET|POST) \/q\/apikey\/requests|POST \/q\/apikey\/requests\/estimate|GET \/q\/apikey\/requests\/[^/?#\\]+|DELETE \/q\/apikey\/requests\/[^/?#\\]+\/media|POST \/q\/apikey\/upload-url|GET \/v1\/models|POST \/v1\/(completions|responses|messages))([?#]\S*)? Bearer /;
  await fc.assert(
    fc.asyncProperty(start, path, method, place, async (start, path, method, place) => {
      const options = { method, headers: browser.headers() };
      await ask(host.url, `/relay/api/http/${place}${start}${path}`, options).catch(() => {});
      for (const seen of service.seen.splice(0)) {
        expect(seen).toMatch(own);
        expect(decodeURIComponent(seen.split("?")[0] ?? "")).not.toMatch(/[/\\]\.\.?([/\\]|$| )/);
      }
      expect(other.seen).toEqual([]);
    }),
    { numRuns: cases(300) },
  );
});
