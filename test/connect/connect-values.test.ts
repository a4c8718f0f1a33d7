import "../setup/page-stand-in.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addressProblem, loadValues, problemsOf, safeBack } from "#connect/connect-values.ts";
import { writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
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
      "This studio was built for api.example.com and cdn.example.com, and it can send requests nowhere else.",
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
    [{ "queue-address": "queue.example" }, { "queue-address": "Start the address with https://." }],
    [{ "inference-address": "ftp://x" }, { "inference-address": "Only https:// and http:// addresses work." }],
    // The other is looked for.
    [{ "queue-address": "" }, {}],
    [{ "inference-address": "" }, {}],
    [{ passphrase: "short" }, {}],
  ])("of %j is %j", (values, problems) => {
    expect(problemsOf({ ...good, ...values })).toEqual(problems);
  });

  it("is said of a key that is to be kept under a weak passphrase, or under two different ones", () => {
    const weak = problemsOf({ ...good, keep: true, passphrase: "short", "passphrase-again": "short" });
    expect(weak).toEqual({ passphrase: expect.stringMatching(/at least 12 characters/) });
    const typo = { keep: true, passphrase: "correct horse battery staple", "passphrase-again": "correct horse" };
    expect(problemsOf({ ...good, ...typo })).toEqual({ "passphrase-again": "The two passphrases are different." });
  });

  it("is said of both addresses where none is given", () => {
    const none = problemsOf({ ...good, "queue-address": "", "inference-address": "" });
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
