import "../setup/page-stand-in.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  createTransferBudget,
  type Permits,
  permitsOfBrowser,
  permitsOfPage,
  type TransferBudget,
  type TransferKind,
} from "#connection/open-transfer.ts";
import { fakeHost, leaveHost } from "./fake-host.ts";
import { fakeLocks } from "./fake-locks.ts";

/** The module as a page that came by this protocol loads it. */
async function openPage(nextHopProtocol: string) {
  vi.resetModules();
  vi.stubGlobal("performance", { ...performance, now: () => 0, getEntriesByType: () => [{ nextHopProtocol }] });
  return import("#connection/open-transfer.ts");
}

const FILE = `${location.origin}/sandbox/storage/file.png`;

beforeEach(() => {
  fakeHost({});
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  leaveHost();
  vi.useRealTimers();
});

// P26.
describe("turns are taken", () => {
  it.each([
    ["http/1.1", true],
    ["", true],
    ["h2", false],
    ["h3", false],
  ])("where the page came by %j: %s", async (protocol, isLimited) => {
    const { needsTransfer } = await openPage(protocol);
    expect(needsTransfer(FILE)).toBe(isLimited);
  });

  it.each(["https://cdn.example.com/file.png", "data:image/png;base64,AA", `blob:${location.origin}/1`])(
    "not for %s, which uses no connection to the host",
    async (address) => {
      const { needsTransfer } = await openPage("http/1.1");
      expect(needsTransfer(address)).toBe(false);
    },
  );

  it("not where no host served the page", async () => {
    leaveHost();
    const { needsTransfer, openTransfer } = await openPage("http/1.1");
    expect(needsTransfer(FILE)).toBe(false);
    for (let count = 0; count < 10; count += 1) await openTransfer("stream");
  });
});

describe("a transfer that waits", () => {
  it("says so, says when it goes on, and rejects with the reason of a stop", async () => {
    const { openTransfer } = await openPage("http/1.1");
    const ends = await Promise.all([1, 2, 3, 4].map(() => openTransfer("stream")));
    const said: boolean[] = [];
    const next = openTransfer("stream", { onWait: (isWaiting) => said.push(isWaiting) });
    await vi.advanceTimersByTimeAsync(300);
    expect(said).toEqual([true]);
    const stop = new AbortController();
    const stopped = openTransfer("stream", { signal: stop.signal });
    stop.abort(new Error("left"));
    await expect(stopped).rejects.toThrow("left");
    ends[0]?.();
    await next;
    expect(said).toEqual([true, false]);
  });
});

describe("a short request", () => {
  it("never waits, and no picture begins on the last connection before it is answered", async () => {
    const { openTransfer, shortRequest } = await openPage("http/1.1");
    await Promise.all([1, 2, 3, 4, 5].map(() => openTransfer("upload")));
    let answer = (_response: Response) => {};
    const send = shortRequest(() => new Promise((resolve) => (answer = resolve)));
    const sending = send(FILE);
    const said: boolean[] = [];
    const picture = openTransfer("media", { onWait: (isWaiting) => said.push(isWaiting) });
    await vi.advanceTimersByTimeAsync(300);
    expect(said).toEqual([true]);
    answer(new Response());
    await Promise.all([sending, picture]);
    expect(said).toEqual([true, false]);
  });
});

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
function openTab(permits: Permits, begun: string[] = [], short = shortRequests()) {
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
    const page = openTab(makePermits());
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
    const page = openTab(makePermits());
    for (const kind of ["stream", "upload", "download", "playing"] as const)
      for (const name of NAMES) await page.open(kind, `${kind} ${name}`);
    expect(page.begun).toHaveLength(5);
  });

  it("gives what becomes free to streams, uploads, downloads, then pictures", async () => {
    const page = openTab(makePermits());
    for (const name of NAMES.slice(0, 5)) await page.open("download", name);
    for (const kind of ["playing", "media", "download", "upload", "stream"] as const) await page.open(kind, kind);
    // The spare connection is for one picture.
    expect(page.begun.splice(0)).toEqual(["a", "b", "c", "d", "e", "media"]);
    for (const name of NAMES.slice(0, 4)) await page.end(name);
    expect(page.begun).toEqual(["stream", "upload", "download", "playing"]);
  });

  it("loads at most five pictures at once, those on the screen first", async () => {
    const page = openTab(makePermits());
    for (const name of NAMES.slice(0, 5)) await page.open("media", name);
    await page.open("media", "below", () => false);
    await page.open("media", "seen", () => true);
    expect(page.begun).toEqual(NAMES.slice(0, 5));
    await page.end("b");
    await page.end("c");
    expect(page.begun.slice(5)).toEqual(["seen", "below"]);
  });

  it("loads pictures one at a time on the last connection, between short requests", async () => {
    const page = openTab(makePermits());
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
    const page = openTab(makePermits());
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
    const [one, other] = [openTab(permitsOfBrowser(locks), begun), openTab(permitsOfBrowser(locks), begun)];
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
