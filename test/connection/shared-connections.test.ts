import "../setup/page-stand-in.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeHost, leaveHost } from "./fake-host.ts";
import { loadPage, OTHER, OWN, SERVICE, SHARED } from "./load-page.ts";

/** What another tab of the browser writes, as this one is told of it. */
function otherTabWrites(text: string | null): void {
  if (text === null) localStorage.removeItem(SHARED);
  else localStorage.setItem(SHARED, text);
  window.dispatchEvent(new StorageEvent("storage", { key: SHARED, newValue: text }));
}

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(leaveHost);

describe("a connection of all tabs", () => {
  it("is open in a new tab, which another is not", async () => {
    fakeHost({});
    const { connect } = await loadPage();
    const shared = await connect({ ...SERVICE, isShared: true });
    await connect(OTHER);
    sessionStorage.clear();
    const newTab = await loadPage();
    expect(newTab.getConnection()).toEqual(shared);
    // By which deleting an account knows what this tab is connected to.
    expect(sessionStorage.getItem(OWN)).toContain(shared.accountId);
  });

  it("follows what another tab does: renames, adds, takes away", async () => {
    fakeHost({});
    const { connect, getConnection, findConnection, getEndedConnection } = await loadPage();
    const { id } = await connect({ ...SERVICE, isShared: true });
    const stored = localStorage.getItem(SHARED) ?? "";
    otherTabWrites(stored.replace('"name":"queue.example"', '"name":"North"'));
    expect(getConnection()).toMatchObject({ id, name: "North" });
    const twice = JSON.parse(stored);
    twice.connections.push({ ...twice.connections[0], id: "added", accountId: "0".repeat(32), name: "South" });
    otherTabWrites(JSON.stringify(twice));
    expect([findConnection(id)?.name, findConnection("added")?.name]).toEqual(["queue.example", "South"]);
    otherTabWrites(null);
    expect(getConnection()).toBeNull();
    expect(getEndedConnection()).toMatchObject({
      connection: { id },
      reason: expect.stringMatching(/removed in another tab/),
    });
  });

  it("goes on under the new session when another tab gives the key anew", async () => {
    fakeHost({});
    const { connect, getConnection } = await loadPage();
    await connect({ ...SERVICE, isShared: true });
    const stored = JSON.parse(localStorage.getItem(SHARED) ?? "");
    stored.connections[0] = { ...stored.connections[0], id: "anew", ticket: "anew" };
    otherTabWrites(JSON.stringify(stored));
    expect(getConnection()?.id).toBe("anew");
  });

  it("can be kept to one tab again", async () => {
    fakeHost({});
    const { connect, shareConnection, getConnection } = await loadPage();
    const { id } = await connect({ ...SERVICE, isShared: true });
    shareConnection(id, false);
    expect(localStorage.getItem(SHARED)).toBeNull();
    expect(getConnection()).toMatchObject({ id, isShared: false });
    expect((await loadPage()).getConnection()?.id).toBe(id);
  });

  it("that another tab added meanwhile is not overwritten", async () => {
    fakeHost({});
    const { connect } = await loadPage();
    await connect({ ...SERVICE, isShared: true });
    const other = await loadPage();
    const stored = JSON.parse(localStorage.getItem(SHARED) ?? "");
    stored.connections.push({ ...stored.connections[0], id: "added", accountId: "0".repeat(32) });
    localStorage.setItem(SHARED, JSON.stringify(stored));
    await other.connect({ ...OTHER, isShared: true });
    expect(localStorage.getItem(SHARED)).toContain('"added"');
  });
});
