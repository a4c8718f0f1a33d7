import "./react-commits.ts";
import "@testing-library/jest-dom/vitest";
import "fake-indexeddb/auto";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// jsdom has neither; the router scrolls and Radix asks for pointer capture.
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};

// A busy machine is late, not wrong: what never comes still fails.
configure({ asyncUtilTimeout: 5000 });

afterEach(cleanup);
