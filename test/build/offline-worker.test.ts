import { createHash } from "node:crypto";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { offlineWorkerSource } from "../../.build/offline/plugin.ts";

const ORIGIN = "https://studio.example";
const PAGE = '<!doctype html><html lang="en"><title>A page with "quotes"</title>';
const SCRIPT = "export const built = true;";
const hash = (text: string) => createHash("sha256").update(text).digest("base64");

/** The worker in a world of its own: what the network answers, what the cache holds, whether the browser is online. */
function startWorker({
  network,
  onLine = true,
}: {
  network: (path: string) => Response | undefined;
  onLine?: boolean;
}) {
  const listeners = new Map<string, (event: unknown) => void>();
  const cache = new Map<string, Response>();
  const pathOf = (address: string) => new URL(address, ORIGIN).pathname;
  const fetch = vi.fn(async (request: string | { url: string }) => {
    const answer = network(pathOf(typeof request === "string" ? request : request.url));
    if (!answer) throw new TypeError("Failed to fetch");
    return answer;
  });
  const store = {
    match: async (path: string) => cache.get(pathOf(path))?.clone(),
    put: async (path: string, answer: Response) => void cache.set(pathOf(path), answer),
    delete: async (path: string) => cache.delete(pathOf(path)),
    keys: async () => [...cache.keys()].map((path) => ({ url: ORIGIN + path })),
  };
  const self = {
    location: { origin: ORIGIN },
    navigator: { onLine },
    skipWaiting: async () => {},
    addEventListener: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
  };
  const globals = { self, caches: { open: async () => store }, fetch, crypto, btoa, Response, URL, TypeError };
  runInNewContext(offlineWorkerSource(PAGE, { "/assets/a.js": hash(SCRIPT) }), globals);
  const wait = (name: string) =>
    new Promise((resolve, reject) =>
      listeners.get(name)?.({ waitUntil: (work: Promise<unknown>) => work.then(resolve, reject) }),
    );
  /** Undefined where the worker leaves the request alone. */
  const ask = (path: string, { mode = "no-cors", method = "GET" } = {}) => {
    let answer: Promise<Response> | undefined;
    const request = { url: new URL(path, ORIGIN).href, mode, method };
    listeners.get("fetch")?.({ request, respondWith: (given: Promise<Response>) => (answer = given) });
    return answer;
  };
  return { wait, ask, cache, self };
}

const served = (path: string) => (path === "/assets/a.js" ? new Response(SCRIPT) : undefined);

test("a screen that does not come from the network is the page as built", async () => {
  const { ask } = startWorker({ network: () => undefined, onLine: false });
  const answer = await ask("/history?x=1", { mode: "navigate" });
  // It says so to the studio, which may believe to be online.
  expect(await answer?.text()).toBe(PAGE.replace("<html", "<html data-offline"));
  expect(answer?.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
});

test("a screen that the network has comes from there, whatever it says", async () => {
  const { ask } = startWorker({ network: () => new Response("Sign in", { status: 401 }) });
  expect((await ask("/create", { mode: "navigate" }))?.status).toBe(401);
});

test("a file is stored when it is what was built, and answers without a network", async () => {
  const { wait, ask, self } = startWorker({ network: served });
  await wait("install");
  expect(ask("/assets/a.js")).toBeUndefined();
  self.navigator.onLine = false;
  expect(await (await ask("/assets/a.js"))?.text()).toBe(SCRIPT);
});

test("a file that is not what was built is neither stored nor served", async () => {
  const forging = startWorker({ network: () => new Response("evil()") });
  await expect(forging.wait("install")).rejects.toThrow("/assets/a.js is another one.");
  const { ask, cache } = startWorker({ network: () => undefined, onLine: false });
  cache.set("/assets/a.js", new Response("evil()"));
  await expect(ask("/assets/a.js")).rejects.toThrow("Failed to fetch");
});

test("what another build left in the cache goes", async () => {
  const { wait, cache } = startWorker({ network: served });
  cache.set("/assets/old.js", new Response("old"));
  await wait("install");
  await wait("activate");
  expect([...cache.keys()]).toEqual(["/assets/a.js"]);
});

test.each([
  ["an answer of the service", "/relay/api/https/api.example.com/v1/models", {}],
  ["a session", "/session", { method: "POST" }],
  ["the sandbox", "/sandbox/api/v1/queue", {}],
  ["another host", "https://api.example.com/create", { mode: "navigate" }],
  ["the page that signs in", "/access", { mode: "navigate" }],
])("leaves %s alone", (_, path, options) => {
  const { ask } = startWorker({ network: () => undefined, onLine: false });
  expect(ask(path, options)).toBeUndefined();
});
