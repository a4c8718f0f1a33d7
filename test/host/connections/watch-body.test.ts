import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type BodyLimits, watchBody } from "#host/connections/watch-body.ts";

const LIMITS: BodyLimits = { slowestMs: 1000, leastBytes: 100, afterAnswerMs: 200, afterAnswerBytes: 50 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request whose body comes piece by piece, as far as `watchBody` looks at one. */
function watched(headers: Record<string, string> = { "content-length": "1000000" }, isRead = true) {
  const socket = { write: vi.fn(), destroySoon: vi.fn() };
  const body = new PassThrough();
  const incoming = Object.assign(body, { headers, socket, complete: false });
  const outgoing = Object.assign(new EventEmitter(), { headersSent: false });
  watchBody(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse, LIMITS);
  if (isRead) body.resume();
  return {
    bytes: (count: number) => body.push(Buffer.alloc(count)),
    end() {
      incoming.complete = true;
      body.push(null);
    },
    answer() {
      outgoing.headersSent = true;
      outgoing.emit("finish");
    },
    isCut: () => socket.destroySoon.mock.calls.length > 0,
    answered: () => String(socket.write.mock.calls[0]?.[0] ?? ""),
  };
}

describe("the body of a request", () => {
  it("may take as long as it needs while it makes progress", async () => {
    const upload = watched();
    for (let second = 0; second < 3600; second += 1) {
      upload.bytes(100);
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(upload.isCut()).toBe(false);
  });

  it.each([
    ["stands still", 0],
    ["drips", 9],
  ])("that %s is cut, with an answer", async (_, bytes) => {
    const upload = watched();
    upload.bytes(500);
    await vi.advanceTimersByTimeAsync(1000);
    for (let tenths = 0; tenths < 10; tenths += 1) {
      expect(upload.isCut()).toBe(false);
      if (bytes > 0) upload.bytes(bytes);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(upload.isCut()).toBe(true);
    expect(upload.answered()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("that nobody reads on is waited for", async () => {
    const upload = watched({ "transfer-encoding": "chunked" }, false);
    upload.bytes(500);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(upload.isCut()).toBe(false);
  });

  it("is not looked at any more once it is whole, however long the answer takes", async () => {
    const upload = watched();
    upload.bytes(10);
    upload.end();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(upload.isCut()).toBe(false);
  });

  it("may end soon after an answer that did not wait for it", async () => {
    const upload = watched();
    upload.answer();
    upload.bytes(50);
    upload.end();
    await vi.advanceTimersByTimeAsync(1000);
    expect(upload.isCut()).toBe(false);
  });

  it("is cut a moment after the answer, and then holds nothing any more", async () => {
    const upload = watched();
    upload.answer();
    await vi.advanceTimersByTimeAsync(199);
    expect(upload.isCut()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([upload.isCut(), upload.answered()]).toEqual([true, ""]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is cut as soon as too much of it follows the answer", () => {
    const upload = watched();
    upload.answer();
    upload.bytes(50);
    expect(upload.isCut()).toBe(false);
    upload.bytes(1);
    expect(upload.isCut()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([{}, { "content-length": "0" }])(
    "is not waited for where the head says there is none: %j",
    async (headers) => {
      const upload = watched(headers);
      await vi.advanceTimersByTimeAsync(600_000);
      expect(upload.isCut()).toBe(false);
    },
  );
});
