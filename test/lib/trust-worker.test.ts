import "../setup/page-stand-in.ts";
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";

interface Page {
  trustedTypes?: unknown;
}
interface Rules {
  createScriptURL(address: string): string;
}

const load = () => import("#lib/trust-worker.ts");
const startScript = readFileSync("public/start.js", "utf8");

afterEach(() => {
  vi.resetModules();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(globalThis, "safelightStart");
});

/** Trusted Types of a page whose content policy allows each name once. */
function stubTrustedTypes() {
  const names = new Set<string>();
  const createPolicy = vi.fn((name: string, rules: Rules) => {
    if (names.has(name)) throw new TypeError(`${name} is taken.`);
    names.add(name);
    return rules;
  });
  vi.stubGlobal("trustedTypes", { createPolicy });
  return createPolicy;
}

/**
 * The page's first script has run, under the Trusted Types of this test: in a realm of its own, since it closes ways.
 * Returns what it leaves.
 */
function start(more: Record<string, unknown> = {}): { openTab(address: string): void } {
  const bare = ["Node", "Element", "HTMLElement", "HTMLAnchorElement", "Document", "Event", "EventTarget"];
  const { location, localStorage, sessionStorage, document, trustedTypes } = globalThis as typeof globalThis & Page;
  const page: Record<string, unknown> = {
    ...Object.fromEntries(bare.map((name) => [name, class {}])),
    ...{ location, localStorage, sessionStorage, document, trustedTypes, URL, URLSearchParams, TypeError },
    matchMedia: () => ({ matches: false }),
    addEventListener: () => {},
    ...more,
  };
  Object.assign(page, { window: page, self: page, top: page });
  runInNewContext(startScript, page);
  const handover = page.safelightStart;
  expect(handover).toMatchObject({ workers: { createScriptURL: expect.any(Function) } });
  // Whoever reads it has it, and nobody after that.
  expect("safelightStart" in page).toBe(false);
  Object.defineProperty(globalThis, "safelightStart", { value: handover, configurable: true });
  return handover as { openTab(address: string): void };
}

const FOREIGN = [
  "https://evil.example/worker.js",
  "//evil.example/worker.js",
  "https://evil.example/assets/worker.js",
  "//evil.example/assets/worker.js",
  "data:text/javascript,0",
  "blob:null/0",
  `blob:${location.origin}/0`,
  "/relay/media/https/evil.example/worker.js",
  "/sandbox/files/worker.js",
  "/assets/../sandbox/files/worker.js",
  "/worker.js",
  // A file of the page itself, which would have no content policy as a worker of a plain file host.
  "/assets/start-D-DJ6vMw.js",
  "/assets/service-worker-adapter-CAZRVo-o.js",
  "/src/main.tsx",
];

describe("without Trusted Types", () => {
  it("gives the whole address of one of the studio's own workers", async () => {
    const { trustWorker } = await load();
    expect(trustWorker("/assets/key-worker-D-DJ6vMw.js")).toBe(`${location.origin}/assets/key-worker-D-DJ6vMw.js`);
    expect(trustWorker("/sandbox-worker.js")).toBe(`${location.origin}/sandbox-worker.js`);
  });

  it.each(FOREIGN)("starts no worker from %s", async (address) => {
    const { trustWorker } = await load();
    expect(() => trustWorker(address)).toThrow(TypeError);
  });
});

describe("the policy for workers", () => {
  it("is made by the page's first script, and taken over once", async () => {
    const createPolicy = stubTrustedTypes();
    start();
    const { trustWorker } = await load();
    expect(trustWorker("/assets/a-worker-00000000.js")).toBe(`${location.origin}/assets/a-worker-00000000.js`);
    expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(["app-worker"]);
  });

  it.each(FOREIGN)("has a rule against %s", async (address) => {
    stubTrustedTypes();
    start();
    const { trustWorker } = await load();
    expect(() => trustWorker(address)).toThrow(TypeError);
  });

  it("starts nothing where another script took it first", async () => {
    stubTrustedTypes();
    start();
    Reflect.deleteProperty(globalThis, "safelightStart");
    const { trustWorker } = await load();
    expect(() => trustWorker("/assets/a-worker-00000000.js")).toThrow("app-worker is taken.");
  });

  it("is made on demand where the first script did not run", async () => {
    const createPolicy = stubTrustedTypes();
    const { trustWorker } = await load();
    trustWorker("/assets/a-worker-00000000.js");
    trustWorker("/assets/b-worker-00000000.js");
    expect(createPolicy).toHaveBeenCalledTimes(1);
  });
});

it("a tab is opened for a fresh press alone, whoever asks", () => {
  stubTrustedTypes();
  const open = vi.fn();
  class UserActivation {
    now = false;
    get isActive() {
      return this.now;
    }
  }
  const userActivation = new UserActivation();
  const { openTab } = start({ open, UserActivation, navigator: { userActivation } });
  openTab("https://files.example/a.png");
  expect(open).not.toHaveBeenCalled();
  userActivation.now = true;
  openTab("https://files.example/a.png");
  expect(open.mock.calls).toEqual([["https://files.example/a.png", "_blank", "noopener,noreferrer"]]);
});
