import "./computed-style.ts";
import "./react-commits.ts";
import "@testing-library/jest-dom/vitest";
import "fake-indexeddb/auto";
import { cleanup, configure, getConfig, prettyDOM } from "@testing-library/react";
import { unstable_IdlePriority, unstable_scheduleCallback } from "scheduler";
import { afterEach } from "vitest";
import { useToasts } from "#ui/toast-store.ts";

// jsdom has neither; the router scrolls and Radix asks for pointer capture.
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};

/** A query that waits fails many times before it finds: the page is printed only when somebody reads the message. */
function lazyMessage(message: string | null, container: Element): Error {
  const error = new Error();
  error.name = "TestingLibraryElementError";
  Error.captureStackTrace(error, lazyMessage);
  const get = () => [message, prettyDOM(container)].filter(Boolean).join("\n\n");
  return Object.defineProperty(error, "message", { get, configurable: true });
}

/**
 * What React has begun is done: effects of a commit, and the commits that those ask for. It does this work last. It goes by
 * `performance.now`: where a test stops that, this waits for ever.
 */
const reactIsIdle = () => new Promise<void>((resolve) => unstable_scheduleCallback(unstable_IdlePriority, resolve));

const { asyncWrapper } = getConfig();
configure({
  // A busy machine is late, not wrong: what never comes still fails.
  asyncUtilTimeout: 60_000,
  getElementError: lazyMessage,
  // A query finds a dialog in the commit that adds it. Its effects, which let it be pressed, follow as tasks of their own;
  // no person is fast enough to press between them, but on a busy machine a test is.
  asyncWrapper: (run) =>
    asyncWrapper(async () => {
      const result = await run();
      await reactIsIdle();
      return result;
    }),
});

afterEach(() => {
  cleanup();
  // A page that is gone takes its toasts along: the next test would press the "Undo" of this one.
  useToasts.setState({ toasts: [] });
});
