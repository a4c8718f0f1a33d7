import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { sandboxWorkerSource } from "../../.build/sandbox-worker.ts";

interface FetchEvent {
  request: { url: string };
  stopImmediatePropagation(): void;
}

/** The listeners of the built worker, in their order. */
function listenersOf(source: string): Map<string, ((event: FetchEvent) => void)[]> {
  const listeners = new Map<string, ((event: FetchEvent) => void)[]>();
  const addEventListener = (type: string, listener: (event: FetchEvent) => void) =>
    listeners.set(type, [...(listeners.get(type) ?? []), listener]);
  const scope = { addEventListener, location: { origin: "https://studio.example.com" }, URL };
  runInNewContext(source, { ...scope, self: scope });
  return listeners;
}

// K2: msw hands what it sees to the page, and a request of the worker that holds the key has it in a header.
describe("the service worker of the sandbox", () => {
  const [guard, ...rest] = listenersOf(sandboxWorkerSource()).get("fetch") ?? [];
  const isSeen = (url: string) => {
    const stopImmediatePropagation = vi.fn();
    guard?.({ request: { url }, stopImmediatePropagation });
    return stopImmediatePropagation.mock.calls.length === 0;
  };

  it("has msw's own listener behind the guard", () => {
    expect(rest.length).toBeGreaterThan(0);
  });

  it("sees requests to the sandbox", () => {
    expect(isSeen("https://studio.example.com/sandbox/api/v1/queue/apikey/models")).toBe(true);
  });

  it.each([
    "https://api.example.com/api/v1/queue/apikey/requests",
    "https://api.example.com/sandbox/apikey/models",
    "https://studio.example.com/session",
    "https://studio.example.com/assets/sandbox/x.js",
  ])("sees nothing of %s", (url) => {
    expect(isSeen(url)).toBe(false);
  });
});
