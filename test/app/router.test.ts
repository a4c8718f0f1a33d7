import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readConnectSearch } from "#app/router.tsx";

describe("the way back after connecting", () => {
  test("is a path of this studio", () => {
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
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `/${text}`),
        ),
        (back) => {
          const path = readConnectSearch({ back }).back;
          if (path !== undefined) expect(new URL(path, "https://studio.example").origin).toBe("https://studio.example");
        },
      ),
    );
  });
});
