import "../setup/page-stand-in.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeHost, leaveHost } from "./fake-host.ts";

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
