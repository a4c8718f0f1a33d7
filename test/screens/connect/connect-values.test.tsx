import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addressProblem, loadValues } from "#screens/connect/connect-values.ts";
import { writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

const SERVICE = "https://api.example.com https://cdn.example.com";

function servedBy(mark: "here" | "none"): void {
  document.head.innerHTML = `<meta name="safelight-host" content="${mark}">`;
}

beforeEach(() => {
  localStorage.clear();
  servedBy("none");
});
afterEach(() => {
  vi.unstubAllEnvs();
  document.head.innerHTML = "";
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
    servedBy("here");
    expect(addressProblem("https://elsewhere.example")).toBeUndefined();
    expect(loadValues(undefined)["queue-address"]).toBe("");
  });
});

it("takes any address in a build for no service", () => {
  expect(addressProblem("https://elsewhere.example")).toBeUndefined();
  expect(loadValues(undefined)).toMatchObject({ "queue-address": "", "inference-address": "" });
});
