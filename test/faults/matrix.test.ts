import { createElement } from "react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { ReadEndpoint } from "./endpoint-drivers.ts";
import { ENDPOINTS, ORIGIN } from "./fault-network.ts";
import { casesOf, FAULT_NAMES } from "./faults.ts";
import { playCell } from "./play-cell.ts";
import { playSubmit } from "./play-submit.ts";
import { failOnStrayErrors } from "./stray-errors.ts";

// Notices have links, and no router is needed to read them.
vi.mock("@tanstack/react-router", () => ({
  Link: ({ children }: { children: string }) => createElement("a", {}, children),
}));

failOnStrayErrors();
beforeEach(() => {
  vi.stubGlobal("location", new URL(`${ORIGIN}/create`));
});

test("the matrix has 14 endpoints and 32 faults, none without a case", () => {
  expect([ENDPOINTS.length, FAULT_NAMES.length]).toEqual([14, 32]);
  expect(FAULT_NAMES.every((name) => casesOf(name).length > 0)).toBe(true);
});

describe.each(ENDPOINTS)("%s", (endpoint) => {
  test.each(FAULT_NAMES)("ends as it must with: %s", async (name) => {
    for (const faultCase of casesOf(name)) {
      if (endpoint === "submit") await playSubmit(faultCase);
      else await playCell(endpoint satisfies ReadEndpoint, faultCase);
    }
  });
});
