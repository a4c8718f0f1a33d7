import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { announceForget, onForget } from "#connection/forget-channel.ts";

/** The module as a page that just loaded sees it: it restores, scrubs and listens while it loads. */
async function loadPage() {
  vi.resetModules();
  return import("#connection/connection-store.ts");
}

const SERVICE = {
  queueBaseUrl: "https://queue.example/api/v1/queue/",
  inferenceBaseUrl: "https://inference.example",
  key: "canary-key-9f3c",
};

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => history.replaceState(null, "", "/"));

describe("connecting", () => {
  it("shows who it is and only the last four characters of the key", async () => {
    const { connect, getConnection, keyOf } = await loadPage();
    const connection = await connect(SERVICE);
    expect(getConnection()).toBe(connection);
    expect(connection).toMatchObject({
      name: "queue.example",
      queueBaseUrl: "https://queue.example/api/v1/queue",
      keyHint: "9f3c",
      isSandbox: false,
    });
    expect(JSON.stringify(connection)).not.toContain(SERVICE.key);
    expect(keyOf(connection)).toBe(SERVICE.key);
  });

  it("keeps the key out of localStorage, the address and cookies", async () => {
    const { connect } = await loadPage();
    await connect(SERVICE);
    expect(JSON.stringify({ ...localStorage }) + location.href + document.cookie).not.toContain("canary");
  });

  it("survives a reload of the tab, but not its closing", async () => {
    const before = await loadPage();
    const connection = await before.connect(SERVICE);
    const reloaded = await loadPage();
    expect(reloaded.getConnection()).toEqual(connection);
    expect(reloaded.keyOf(connection)).toBe(SERVICE.key);
    sessionStorage.clear();
    expect((await loadPage()).getConnection()).toBeNull();
  });

  it("is read from a record of a version that stored routes", async () => {
    const connection = await (await loadPage()).connect(SERVICE);
    const stored = JSON.parse(sessionStorage.getItem("safelight.connection") ?? "");
    const routes = { queue: "relay", inference: "direct", upload: "relay", media: "relay" };
    sessionStorage.setItem("safelight.connection", JSON.stringify({ ...stored, routes, isRelayed: true }));
    expect((await loadPage()).getConnection()).toEqual(connection);
  });

  it("is a new connection each time, with one account id per key", async () => {
    const { connect, keyOf } = await loadPage();
    const first = await connect(SERVICE);
    const second = await connect(SERVICE);
    const other = await connect({ ...SERVICE, key: "another-key-0000" });
    expect(second.id).not.toBe(first.id);
    expect(second.accountId).toBe(first.accountId);
    expect(other.accountId).not.toBe(first.accountId);
    expect(keyOf(first)).toBe("");
  });

  it("opens the sandbox on the studio's own origin", async () => {
    const { openSandbox } = await loadPage();
    expect(await openSandbox()).toMatchObject({
      name: "Sandbox",
      isSandbox: true,
      queueBaseUrl: "/sandbox/api/v1/queue",
      inferenceBaseUrl: "/sandbox",
    });
  });
});

describe("the tab's stored connection", () => {
  it.each([
    "not json",
    "null",
    "[]",
    "{}",
    '{"v":2}',
    JSON.stringify({ v: 1, id: "i", name: "n", queueBaseUrl: "javascript://x", inferenceBaseUrl: "/", key: "k" }),
  ])("%s gives no connection", async (stored) => {
    sessionStorage.setItem("safelight.connection", stored);
    expect((await loadPage()).getConnection()).toBeNull();
  });

  it("is refused when only its address has another form", async () => {
    const page = await loadPage();
    await page.connect(SERVICE);
    const stored = sessionStorage.getItem("safelight.connection") ?? "";
    sessionStorage.setItem("safelight.connection", stored.replace("https://inference.example", "data:text/html,x"));
    expect((await loadPage()).getConnection()).toBeNull();
  });
});

describe("forgetting", () => {
  it("leaves nothing behind in this tab", async () => {
    const { connect, disconnect, getConnection } = await loadPage();
    await connect(SERVICE);
    disconnect();
    expect(getConnection()).toBeNull();
    expect(JSON.stringify({ ...sessionStorage })).not.toContain("canary");
  });

  it("reaches the tabs with the same key, and no others", async () => {
    const sameKey = await loadPage();
    await sameKey.connect(SERVICE);
    const otherKey = await loadPage();
    await otherKey.connect({ ...SERVICE, key: "another-key-0000" });
    const here = await loadPage();
    await here.connect(SERVICE);
    here.disconnect();
    await vi.waitFor(() => expect(sameKey.getConnection()).toBeNull());
    expect(otherKey.getConnection()).not.toBeNull();
  });
});

describe("a key in the page's address", () => {
  it.each([
    ["/create?key=canary&model=m", "/create?model=m"],
    ["/connect?api_key=canary", "/connect"],
    ["/connect#key=canary", "/connect"],
    ["/connect?API_KEY=canary#token=canary&x=1", "/connect#x=1"],
    ["/connect?auth=canary&apikey[]=canary&client_secret=canary", "/connect"],
    ["/connect?x-api-key=canary&password=canary&sig=canary", "/connect"],
    ["/connect?q=sk-canary0a1B2c3D4e5F6g7H8", "/connect"],
    ["/connect?api%5Fkey=canary", "/connect"],
    ["/key/sk-canary0a1B2c3D4e5F6g7H8", "/"],
    ["/connect/token/canary", "/connect"],
    ["/connect#/key/canary", "/connect#/"],
    ["/connect#/create?token=canary&x=1", "/connect#/create?x=1"],
    ["/connect#sk-canary0a1B2c3D4e5F6g7H8", "/connect"],
    ["/connect?back=%2Fcreate%3Fkey%3Dcanary%26model%3Dm", "/connect?back=%2Fcreate%3Fmodel%3Dm"],
    ["/history?status=failed", "/history?status=failed"],
    ["/history?q=a+b%20c&model=kling%2Fkey-frames-v2", "/history?q=a+b%20c&model=kling%2Fkey-frames-v2"],
    ["/jobs/req_01HZX3V9K2M4N6P8Q0R2S4T6V8", "/jobs/req_01HZX3V9K2M4N6P8Q0R2S4T6V8"],
    ["/create/acme%2Ftoken-mixer?p=a-sk-0a1B2c3D4e5F6g7H8i9", "/create/acme%2Ftoken-mixer?p=a-sk-0a1B2c3D4e5F6g7H8i9"],
  ])("%s becomes %s before anything else happens", async (address, rest) => {
    history.replaceState(null, "", address);
    await loadPage();
    expect(location.pathname + location.search + location.hash).toBe(rest);
  });
});

it("a tab does not hear its own report of a forgotten key", async () => {
  const heard: string[] = [];
  onTestFinished(onForget((fingerprint) => heard.push(fingerprint)));
  const otherTab = new BroadcastChannel("safelight.forget");
  onTestFinished(() => otherTab.close());
  const arrived = new Promise((resolve) => otherTab.addEventListener("message", resolve, { once: true }));
  announceForget("said here");
  await arrived;
  otherTab.postMessage({ forget: "said elsewhere" });
  await vi.waitFor(() => expect(heard).toContain("said elsewhere"));
  expect(heard).toEqual(["said elsewhere"]);
});
