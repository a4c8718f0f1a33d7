import "./react-commits.ts";
import "@testing-library/jest-dom/vitest";
import "fake-indexeddb/auto";
import { cleanup, configure, prettyDOM } from "@testing-library/react";
import { afterEach } from "vitest";

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

// A busy machine is late, not wrong: what never comes still fails.
configure({ asyncUtilTimeout: 5000, getElementError: lazyMessage });

afterEach(cleanup);
