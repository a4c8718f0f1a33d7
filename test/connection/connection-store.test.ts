import "../setup/page-stand-in.ts";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { until } from "../setup/until.ts";
import { fakeHost, leaveHost } from "./fake-host.ts";
import { everywhere, loadPage, MODELS, OTHER, OWN, SERVICE } from "./load-page.ts";

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(leaveHost);

describe("connecting", () => {
  it("shows who it is and only the last four characters of the key", async () => {
    const { connect, getConnection } = await loadPage();
    const connection = await connect(SERVICE);
    expect(getConnection()).toBe(connection);
    expect(connection).toMatchObject({
      name: "queue.example",
      queueBaseUrl: "https://queue.example/api/v1/queue",
      keyHint: "9f3c",
      isSandbox: false,
    });
    expect(JSON.stringify(connection)).not.toContain(SERVICE.key);
  });

  it.each([true, false])("leaves the key in no storage, address or cookie (with a host: %s)", async (hasHost) => {
    if (hasHost) fakeHost({});
    const { connect, openSandbox } = await loadPage();
    await connect(SERVICE);
    await openSandbox();
    await connect({ ...OTHER, isShared: true, name: "Shared" });
    expect(everywhere()).toContain("9f3c");
    expect(everywhere()).not.toContain("sk-canary");
  });

  it("survives a reload of the tab, but not its closing", async () => {
    fakeHost({});
    const connection = await (await loadPage()).connect(SERVICE);
    const reloaded = await loadPage();
    expect(reloaded.getConnection()).toEqual(connection);
    expect((await reloaded.getFetch(connection)(MODELS)).status).toBe(200);
    sessionStorage.clear();
    expect((await loadPage()).getConnection()).toBeNull();
  });

  it("is a new connection each time, with one account id per key", async () => {
    const { connect } = await loadPage();
    const first = await connect(SERVICE);
    const second = await connect(SERVICE);
    const other = await connect(OTHER);
    expect(second.id).not.toBe(first.id);
    expect(second.accountId).toBe(first.accountId);
    expect(other.accountId).not.toBe(first.accountId);
  });

  it("with the same key again leaves the new session alone, and ends the one before", async () => {
    const host = fakeHost({});
    const { connect, ...page } = await loadPage();
    const first = await connect(SERVICE);
    const second = await connect(SERVICE);
    await until(() => expect(host.requests).toContain("DELETE /session?only=this"));
    expect(host.sessions.size).toBe(1);
    expect((await page.getFetch(second)(MODELS)).status).toBe(200);
    // What the connection before has begun goes on with the same key.
    expect((await page.getFetch(first)(MODELS)).status).toBe(200);
  });

  it("opens the sandbox on the studio's own origin, also after a reload", async () => {
    const { openSandbox } = await loadPage();
    const sandbox = await openSandbox();
    expect(sandbox).toMatchObject({
      name: "Sandbox",
      isSandbox: true,
      queueBaseUrl: "/sandbox/api/v1/queue",
      inferenceBaseUrl: "/sandbox",
    });
    expect((await loadPage()).getConnection()).toEqual(sandbox);
  });

  it("works without any storage, until the page is left", async () => {
    fakeHost({});
    for (const act of ["getItem", "setItem", "removeItem"] as const) {
      const spy = vi.spyOn(Storage.prototype, act).mockImplementation(() => {
        throw new DOMException("refused", "SecurityError");
      });
      onTestFinished(() => spy.mockRestore());
    }
    const { connect, getConnection, getFetch } = await loadPage();
    const connection = await connect({ ...SERVICE, isShared: true });
    expect(getConnection()).toBe(connection);
    expect((await getFetch(connection)(MODELS)).status).toBe(200);
  });
});

describe("the tab's stored connection", () => {
  it.each(["not json", "null", "[]", "{}", '{"v":2}', '{"v":2,"connections":[{"id":"i"}]}'])(
    "%s gives no connection",
    async (stored) => {
      sessionStorage.setItem(OWN, stored);
      const { getConnection } = await loadPage();
      expect(getConnection()).toBeNull();
    },
  );

  it.each([
    ["https://inference.example", "data:text/html,x"],
    ['"custody":"host"', '"custody":"nobody"'],
    ['"keyShape":{', '"keyShape":{"length":"x","other":{'],
  ])("is refused when %s became %s", async (before, after) => {
    fakeHost({});
    await (await loadPage()).connect(SERVICE);
    const stored = sessionStorage.getItem(OWN) ?? "";
    expect(stored).toContain(before);
    sessionStorage.setItem(OWN, stored.replace(before, after));
    expect((await loadPage()).getConnection()).toBeNull();
  });

  it("of a version that kept the key is removed at once, and the person told why", async () => {
    const old = {
      v: 1,
      id: "i",
      name: "n",
      queueBaseUrl: "https://q.example",
      inferenceBaseUrl: "/",
      key: SERVICE.key,
    };
    sessionStorage.setItem(OWN, JSON.stringify(old));
    const { getConnection, getEndedConnection } = await loadPage();
    expect(everywhere()).not.toContain("sk-canary");
    expect(getConnection()).toBeNull();
    expect(getEndedConnection()?.reason).toMatch(/no longer stores keys/);
  });

  it("of a Worker, which a reload has ended, gives its addresses and the reason", async () => {
    fakeHost({});
    await (await loadPage()).connect(SERVICE);
    sessionStorage.setItem(OWN, (sessionStorage.getItem(OWN) ?? "").replace('"custody":"host"', '"custody":"worker"'));
    const { getConnection, getEndedConnection } = await loadPage();
    const ended = getEndedConnection();
    expect(getConnection()).toBeNull();
    expect(ended).toMatchObject({ connection: { queueBaseUrl: "https://queue.example/api/v1/queue" } });
    expect(ended?.reason).toMatch(/Reloading removes the key/);
  });
});

describe("several connections", () => {
  it("stay open side by side, and a switch sends with the key of the one that is meant", async () => {
    const host = fakeHost({});
    const { connect, switchConnection, getConnection, getFetch } = await loadPage();
    const first = await connect(SERVICE);
    const second = await connect(OTHER);
    expect(getConnection()).toBe(second);
    switchConnection(first.id);
    expect(getConnection()?.id).toBe(first.id);
    await getFetch(first)(MODELS);
    await getFetch(second)(MODELS);
    const keys = host.inits.map(({ headers }) =>
      host.sessions.get(new Headers(headers).get("x-safelight-session") ?? ""),
    );
    expect(keys).toEqual([SERVICE.key, OTHER.key]);
    expect((await loadPage()).getConnection()?.id).toBe(first.id);
  });

  it("have names, which a reload keeps and an empty one does not change", async () => {
    fakeHost({});
    const { connect, renameConnection, getConnection } = await loadPage();
    const { id } = await connect(SERVICE);
    renameConnection(id, "  Studio North ");
    renameConnection(id, "  ");
    expect(getConnection()?.name).toBe("Studio North");
    expect((await loadPage()).getConnection()).toMatchObject({ id, name: "Studio North" });
  });

  it("end one by one: forgetting one leaves the other", async () => {
    const host = fakeHost({});
    const { connect, forgetConnectionKey, getConnection, getFetch } = await loadPage();
    const first = await connect(SERVICE);
    const second = await connect(OTHER);
    forgetConnectionKey(first);
    await until(() => expect([...host.sessions.values()]).toEqual([OTHER.key]));
    expect(getConnection()?.id).toBe(second.id);
    await expect(getFetch(first)(MODELS)).rejects.toMatchObject({ status: 401 });
  });
});

describe("a session that the host no longer knows", () => {
  it("ends the connection with the host's reason, and keeps its addresses", async () => {
    const host = fakeHost({});
    const { connect, getConnection, getFetch, getEndedConnection } = await loadPage();
    const connection = await connect(SERVICE);
    host.restart();
    expect((await getFetch(connection)(MODELS)).status).toBe(401);
    expect(getConnection()).toBeNull();
    expect(getEndedConnection()).toEqual({ connection, reason: "Said so" });
    expect((await loadPage()).getConnection()).toBeNull();
  });

  it("of another connection than the current one leaves that alone", async () => {
    const host = fakeHost({});
    const { connect, getConnection, getFetch } = await loadPage();
    const first = await connect(SERVICE);
    const second = await connect(OTHER);
    for (const [ticket, key] of host.sessions) if (key === SERVICE.key) host.sessions.delete(ticket);
    await getFetch(first)(MODELS);
    expect(getConnection()?.id).toBe(second.id);
  });
});

describe("forgetting", () => {
  it("leaves nothing behind in this tab and nothing at the host", async () => {
    const host = fakeHost({});
    const { connect, disconnect, getConnection } = await loadPage();
    await connect(SERVICE);
    disconnect();
    expect(getConnection()).toBeNull();
    expect(sessionStorage.getItem(OWN)).toBeNull();
    await until(() => expect(host.sessions.size).toBe(0));
    expect(host.requests).toContain("DELETE /session");
  });

  it.each([true, false])("tells whether the host has confirmed it (it answers: %s)", async (isUp) => {
    const host = fakeHost({});
    const { connect, forgetConnectionKey, getConnection } = await loadPage();
    const connection = await connect(SERVICE);
    if (!isUp) host.goDown();
    expect(await forgetConnectionKey(connection)).toBe(isUp);
    expect(getConnection()).toBeNull();
  });

  it("reaches the tabs with the same key, and no others", async () => {
    const sameKey = await loadPage();
    await sameKey.connect(SERVICE);
    const otherKey = await loadPage();
    await otherKey.connect(OTHER);
    const here = await loadPage();
    await here.connect(SERVICE);
    here.disconnect();
    await until(() => expect(sameKey.getConnection()).toBeNull());
    expect(otherKey.getConnection()).not.toBeNull();
  });

  it("tells who follows a connection that it was forgotten, and not lost", async () => {
    const host = fakeHost({});
    const { connect, forgetConnectionKey, onConnectionEnd, getFetch } = await loadPage();
    const [first, second] = [await connect(SERVICE), await connect(OTHER)];
    const ends: unknown[] = [];
    for (const { id } of [first, second]) onTestFinished(onConnectionEnd(id, (end) => ends.push(end)));
    await forgetConnectionKey(first);
    host.restart();
    await getFetch(second)(MODELS);
    expect(ends).toEqual([
      { isForgotten: true, isLast: false },
      { isForgotten: false, isLast: true },
    ]);
  });
});
