import { describe, expect, it } from "vitest";

import { createTransferBudget, type TransferBudget, type TransferKind } from "#connection/transfer-budget.ts";
import { type Permits, permitsOfBrowser, permitsOfPage } from "#connection/transfer-permits.ts";
import { fakeLocks } from "./fake-locks.ts";

/** Everything that follows without a new cause has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Short requests of a page, as many as the test says. */
function shortRequests() {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  return {
    begin: () => {
      underWay += 1;
    },
    end: () => {
      underWay -= 1;
      if (underWay > 0) return;
      const now = waiting;
      waiting = [];
      for (const callback of now) callback();
    },
    whenNone: (callback: () => void) => {
      if (underWay === 0) callback();
      else waiting.push(callback);
    },
  };
}

/** A page whose transfers are written down by name as they begin. */
function openPage(permits: Permits, begun: string[] = [], short = shortRequests()) {
  const budget: TransferBudget = createTransferBudget(permits, short);
  const ends = new Map<string, () => void>();
  const leaves = new Map<string, AbortController>();
  return {
    begun,
    short,
    async open(kind: TransferKind, name: string, isVisible?: () => boolean) {
      const controller = new AbortController();
      leaves.set(name, controller);
      budget.open(kind, { signal: controller.signal, isVisible }).then(
        (end) => {
          begun.push(name);
          ends.set(name, end);
        },
        () => {},
      );
      await settled();
    },
    async end(name: string) {
      ends.get(name)?.();
      await settled();
    },
    async leave(name: string) {
      leaves.get(name)?.abort();
      await settled();
    },
  };
}

const NAMES = ["a", "b", "c", "d", "e", "f", "g"];

// P26: with the locks of all tabs, and with a page's own slots.
describe.each([
  ["Web Locks", () => permitsOfBrowser(fakeLocks())],
  ["a page alone", permitsOfPage],
])("the budget over %s", (_, makePermits) => {
  it("begins four streams and an upload, and the next of each when one ends", async () => {
    const page = openPage(makePermits());
    for (const name of NAMES.slice(0, 5)) await page.open("stream", name);
    await page.open("upload", "upload");
    await page.open("upload", "second upload");
    expect(page.begun).toEqual(["a", "b", "c", "d", "upload"]);
    await page.end("a");
    expect(page.begun.slice(5)).toEqual(["e"]);
    await page.end("upload");
    expect(page.begun.slice(6)).toEqual(["second upload"]);
  });

  it("never begins more than five long transfers", async () => {
    const page = openPage(makePermits());
    for (const kind of ["stream", "upload", "download", "playing"] as const)
      for (const name of NAMES) await page.open(kind, `${kind} ${name}`);
    expect(page.begun).toHaveLength(5);
  });

  it("gives what becomes free to streams, uploads, downloads, then pictures", async () => {
    const page = openPage(makePermits());
    for (const name of NAMES.slice(0, 5)) await page.open("download", name);
    for (const kind of ["playing", "media", "download", "upload", "stream"] as const) await page.open(kind, kind);
    // The spare connection is for one picture.
    expect(page.begun.splice(0)).toEqual(["a", "b", "c", "d", "e", "media"]);
    for (const name of NAMES.slice(0, 4)) await page.end(name);
    expect(page.begun).toEqual(["stream", "upload", "download", "playing"]);
  });

  it("loads at most five pictures at once, those on the screen first", async () => {
    const page = openPage(makePermits());
    for (const name of NAMES.slice(0, 5)) await page.open("media", name);
    await page.open("media", "below", () => false);
    await page.open("media", "seen", () => true);
    expect(page.begun).toEqual(NAMES.slice(0, 5));
    await page.end("b");
    await page.end("c");
    expect(page.begun.slice(5)).toEqual(["seen", "below"]);
  });

  it("loads pictures one at a time on the last connection, between short requests", async () => {
    const page = openPage(makePermits());
    for (const name of NAMES.slice(0, 4)) await page.open("stream", name);
    await page.open("upload", "upload");
    page.begun.length = 0;
    page.short.begin();
    for (const name of ["first", "second", "third"]) await page.open("media", name);
    expect(page.begun).toEqual([]);
    page.short.end();
    await settled();
    expect(page.begun).toEqual(["first"]);
    page.short.begin();
    await page.end("first");
    expect(page.begun).toEqual(["first"]);
    page.short.end();
    await settled();
    expect(page.begun).toEqual(["first", "second"]);
    // A slot that becomes free serves the next at once.
    await page.end("upload");
    expect(page.begun).toEqual(["first", "second", "third"]);
  });

  it("what no longer waits takes no turn, and what is over counts once", async () => {
    const page = openPage(makePermits());
    for (const name of NAMES.slice(0, 5)) await page.open("upload", name);
    await page.open("upload", "gone");
    await page.open("upload", "next");
    await page.leave("gone");
    await page.end("a");
    await page.end("a");
    await page.open("upload", "last");
    expect(page.begun).toEqual([...NAMES.slice(0, 5), "next"]);
  });
});

describe("the budget of several tabs", () => {
  it("counts the transfers of all of them", async () => {
    const locks = fakeLocks();
    const begun: string[] = [];
    const [one, other] = [openPage(permitsOfBrowser(locks), begun), openPage(permitsOfBrowser(locks), begun)];
    for (const name of ["a", "b", "c"]) await one.open("stream", name);
    for (const name of ["d", "e", "f"]) await other.open("stream", name);
    expect(begun).toEqual(["a", "b", "c", "d"]);
    await one.end("b");
    expect(begun).toEqual(["a", "b", "c", "d", "e"]);
    await other.open("media", "picture");
    await one.open("media", "other picture");
    await one.open("media", "third picture");
    // The fifth slot and the spare.
    expect(begun.slice(5)).toEqual(["picture", "other picture"]);
  });

  it("where the browser gives no locks, a transfer is told so", async () => {
    const refuses = { request: () => Promise.reject(new DOMException("no", "SecurityError")) };
    const budget = createTransferBudget(permitsOfBrowser(refuses as unknown as LockManager), shortRequests());
    await expect(budget.open("upload", {})).rejects.toThrow("no");
  });
});
