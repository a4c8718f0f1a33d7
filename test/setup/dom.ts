import "./react-commits.ts";
import "@testing-library/jest-dom/vitest";
import "fake-indexeddb/auto";
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

// jsdom has neither; the router scrolls and Radix asks for pointer capture.
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};

afterEach(cleanup);
