import { afterEach, expect, it, vi } from "vitest";

const load = async () => (await import("#lib/trust-worker.ts")).trustWorker;

afterEach(() => {
  vi.resetModules();
  vi.unstubAllGlobals();
});

it("gives the whole address of one of the studio's own workers", async () => {
  expect((await load())("/assets/worker.js")).toBe(`${location.origin}/assets/worker.js`);
});

it.each(["https://evil.example/worker.js", "//evil.example/worker.js", "data:text/javascript,0", "blob:null/0"])(
  "starts no worker from %s",
  async (address) => {
    const trustWorker = await load();
    expect(() => trustWorker(address)).toThrow(TypeError);
  },
);

it("uses one Trusted Types policy, under the name that the host allows", async () => {
  const createPolicy = vi.fn((_name: string, rules: { createScriptURL(address: string): string }) => rules);
  vi.stubGlobal("trustedTypes", { createPolicy });
  const trustWorker = await load();
  expect(trustWorker("/assets/a.js")).toBe(`${location.origin}/assets/a.js`);
  expect(trustWorker("/assets/b.js")).toBe(`${location.origin}/assets/b.js`);
  expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(["app-worker"]);
});
