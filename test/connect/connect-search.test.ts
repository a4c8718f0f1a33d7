import { describe, expect, test } from "vitest";
import { readConnectSearch } from "#connect/connect-search.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";

describe("the way back after connecting", () => {
  test("is a path of Safelight", () => {
    expect(readConnectSearch({ back: "/history?status=failed" })).toEqual({ back: "/history?status=failed" });
  });

  test("is never another site or Connect itself", () => {
    for (const back of [
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "javascript:alert(1)",
      "/connect",
      7,
    ])
      expect(readConnectSearch({ back })).toEqual({});
    expect(readConnectSearch("back")).toEqual({});
  });

  test("stays on this origin for any text", () => {
    fc.assert(
      fc.property(
        fc
          .tuple(fc.constantFrom("", "/", "//", "/\\", "\\", "/connect", "https://", "javascript:"), fc.string())
          .map((parts) => parts.join("")),
        (back) => {
          const path = readConnectSearch({ back }).back;
          if (path !== undefined) expect(new URL(path, "https://studio.example").origin).toBe("https://studio.example");
        },
      ),
      { numRuns: cases(200, 10_000) },
    );
  });
});
