import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  addressProblem,
  candidatesFrom,
  findConnectProblems,
  getBaseAddress,
  loadValues,
  safeBack,
} from "#connect/connect-values.ts";
import { writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import fc from "../setup/fc.ts";
import { markHost, resetPage } from "../setup/page-stand-in.ts";

const SERVICE = "https://api.example.com https://cdn.example.com";

beforeEach(() => {
  localStorage.clear();
  markHost("none");
});
afterEach(() => {
  vi.unstubAllEnvs();
  resetPage();
});

describe("a build for one service, on a plain file host", () => {
  beforeEach(() => vi.stubEnv("SAFELIGHT_SERVICE", SERVICE));

  it("fills in the addresses of its service", () => {
    expect(loadValues(undefined)).toMatchObject({
      "queue-address": "https://api.example.com/api/v1/queue",
      "inference-address": "https://api.example.com",
    });
  });

  it("keeps addresses that were used before, and drops those of another service", () => {
    const queueBaseUrl = "https://cdn.example.com/other/api/v1/queue";
    writeJson(KEYS.addresses, { queueBaseUrl, inferenceBaseUrl: "https://elsewhere.example" });
    expect(loadValues(undefined)).toMatchObject({
      "queue-address": queueBaseUrl,
      "inference-address": "https://api.example.com",
    });
  });

  it.each(["https://api.example.com/v1", "https://cdn.example.com", "/service/api/v1/queue", `${location.origin}/x`])(
    "takes the address %s",
    (address) => expect(addressProblem(address)).toBeUndefined(),
  );

  it.each([
    "https://elsewhere.example",
    "https://api.example.com.evil.example",
    "http://api.example.com",
    "https://api.example.com:8443",
  ])("refuses the address %s with a sentence", (address) => {
    expect(addressProblem(address)).toBe(
      "This build of Safelight connects only to api.example.com and cdn.example.com.",
    );
  });

  it("takes any address behind the studio's own host", () => {
    markHost("here");
    expect(addressProblem("https://elsewhere.example")).toBeUndefined();
    expect(loadValues(undefined)["queue-address"]).toBe("");
  });
});

it("takes any address in a build for no service", () => {
  expect(addressProblem("https://elsewhere.example")).toBeUndefined();
  expect(loadValues(undefined)).toMatchObject({ "queue-address": "", "inference-address": "" });
});

describe("what is wrong with the form", () => {
  const good = {
    ...loadValues(undefined),
    ...{ "api-key": "k", "queue-address": "https://a.example", "inference-address": "https://b.example" },
  };

  it.each([
    [{}, {}],
    [{ "api-key": " " }, { "api-key": "Enter the API key." }],
    [{ "queue-address": "queue.example" }, { "queue-address": "Start the URL with https://." }],
    [{ "inference-address": "ftp://x" }, { "inference-address": "Only https:// and http:// URLs work." }],
    // The other is looked for.
    [{ "queue-address": "" }, {}],
    [{ "inference-address": "" }, {}],
    [{ passphrase: "short" }, {}],
  ])("of %j is %j", (values, problems) => {
    expect(findConnectProblems({ ...good, ...values })).toEqual(problems);
  });

  it("is said of a key that is to be kept under a weak passphrase, or under two different ones", () => {
    const weak = findConnectProblems({ ...good, keep: true, passphrase: "short", "passphrase-again": "short" });
    expect(weak).toEqual({ passphrase: expect.stringMatching(/at least 12 characters/) });
    const typo = { keep: true, passphrase: "correct horse battery staple", "passphrase-again": "correct horse" };
    expect(findConnectProblems({ ...good, ...typo })).toEqual({
      "passphrase-again": "The passphrases don’t match.",
    });
  });

  it("is said of both addresses where none is given", () => {
    const none = findConnectProblems({ ...good, "queue-address": "", "inference-address": "" });
    expect(Object.keys(none)).toEqual(["queue-address", "inference-address"]);
  });
});

describe("after connecting", () => {
  it.each(["/history?status=failed", "/spend", "/jobs/a%2Fb#x"])("the visitor returns to %s", (back) => {
    expect(safeBack(back)).toBe(back);
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/connect",
    "7",
    7,
    undefined,
  ])("the visitor does not return to %s", (back) => {
    expect(safeBack(back)).toBe("/create");
    expect(safeBack(back, "/playground")).toBe("/playground");
  });
});

const API = "https://api.example.com";

describe("from one address both halves are derived, the likeliest first", () => {
  it.each<[address: string, queue: string, inference: string]>([
    [API, `${API}/api/v1/queue`, API],
    [`${API}/api/v1/queue`, `${API}/api/v1/queue`, API],
    [`${API}/api/v1/queue/apikey/requests/abc/media`, `${API}/api/v1/queue`, API],
    [`${API}/v1/chat/completions`, `${API}/api/v1/queue`, API],
    [`${API}/v1/messages`, `${API}/api/v1/queue`, API],
    [`${API}/v1`, `${API}/api/v1/queue`, API],
    [`${API}/api/v1/chat/completions`, `${API}/api/v1/queue`, `${API}/api`],
    [`${API}/sandbox/api/v1/queue/apikey/models`, `${API}/sandbox/api/v1/queue`, `${API}/sandbox`],
    [`${API}/sandbox/v1/models`, `${API}/sandbox/api/v1/queue`, `${API}/sandbox`],
    [`${API}/team-a`, `${API}/team-a/api/v1/queue`, `${API}/team-a`],
    [`${API}/api`, `${API}/api/v1/queue`, `${API}/api`],
    ["http://localhost:4310/sandbox", "http://localhost:4310/sandbox/api/v1/queue", "http://localhost:4310/sandbox"],
  ])("%s", (address, queue, inference) => {
    const found = candidatesFrom([address]);
    expect(found.queue[0]).toBe(queue);
    expect(found.inference[0]).toBe(inference);
  });
});

it("addresses of both halves keep their hosts", () => {
  const found = candidatesFrom([`${API}/api/v1/queue/apikey/models`, "https://docs.example.com/v1/chat"]);
  expect(found.queue).toEqual([`${API}/api/v1/queue`]);
  expect(found.inference).toEqual(["https://docs.example.com"]);
});

it("beside the queue a bare host of the same domain is the other half, and nothing else that is mentioned", () => {
  const both = candidatesFrom([`${API}/api/v1/queue`, "https://text.example.com"]);
  expect(both.inference.slice(0, 2)).toEqual(["https://text.example.com", API]);
  for (const mentioned of [
    "https://docs.example.com/quickstart",
    "https://elsewhere.test",
    "https://elsewhere.test/a",
  ]) {
    for (const own of [`${API}/api/v1/queue/apikey/models`, `${API}/v1/messages`]) {
      const { queue, inference } = candidatesFrom([mentioned, own]);
      expect([...queue, ...inference].filter((each) => new URL(each).origin !== API)).toEqual([]);
    }
  }
});

it("a path that names the queue in another way is tried as it stands and with the usual end", () => {
  expect(candidatesFrom([`${API}/jobs/apikey/models`]).queue).toEqual([`${API}/jobs`, `${API}/jobs/api/v1/queue`]);
});

it("no candidate is on a host that was not given", () => {
  const part = fc.constantFrom("api", "v1", "queue", "apikey", "models", "docs", "x", "chat", "requests", "..", "%2e");
  const address = fc
    .tuple(
      fc.constantFrom("https://a.example", "http://b.example:81", "nonsense", "/sandbox"),
      fc.array(part, { maxLength: 6 }),
    )
    .map(([start, parts]) => [start, ...parts].join("/"));
  fc.assert(
    fc.property(fc.array(address, { maxLength: 5 }), (addresses) => {
      const { queue, inference } = candidatesFrom(addresses);
      const hosts = new Set(addresses.filter((each) => URL.canParse(each)).map((each) => new URL(each).origin));
      expect(queue.length).toBeLessThanOrEqual(5);
      expect(inference.length).toBeLessThanOrEqual(5);
      for (const each of [...queue, ...inference]) expect([...hosts]).toContain(new URL(each).origin);
    }),
  );
});

it("what follows a base address is cut off, and anything else is left as it is", () => {
  expect(getBaseAddress("queue", `${API}/api/v1/queue/apikey/requests`)).toBe(`${API}/api/v1/queue`);
  expect(getBaseAddress("inference", `${API}/v1/messages`)).toBe(API);
  expect(getBaseAddress("inference", `${API}/nowhere`)).toBe(`${API}/nowhere`);
  expect(getBaseAddress("queue", "/sandbox/api/v1/queue")).toBe("/sandbox/api/v1/queue");
});
