import { describe, expect, it } from "vitest";
import { indexAfterKey } from "#ui/list-keys.ts";

describe("the keys of a list", () => {
  it("stop at the ends", () => {
    expect(indexAfterKey("ArrowDown", -1, 3)).toBe(0);
    expect(indexAfterKey("ArrowDown", 2, 3)).toBe(2);
    expect(indexAfterKey("ArrowUp", 0, 3)).toBe(0);
    expect(indexAfterKey("PageDown", 0, 3)).toBe(2);
    expect(indexAfterKey("Home", 2, 3)).toBe(0);
    expect(indexAfterKey("End", 0, 3)).toBe(2);
    expect(indexAfterKey("Enter", 0, 3)).toBeUndefined();
  });

  it("go around the ends of a list that wraps", () => {
    expect(indexAfterKey("ArrowDown", 2, 3, { wraps: true })).toBe(0);
    expect(indexAfterKey("ArrowUp", 0, 3, { wraps: true })).toBe(2);
    expect(indexAfterKey("ArrowUp", -1, 3, { wraps: true })).toBe(2);
  });

  it("are left and right where the items stand beside each other", () => {
    const options = { isHorizontal: true, pageItems: 0 };
    expect(indexAfterKey("ArrowRight", 0, 3, options)).toBe(1);
    expect(indexAfterKey("ArrowLeft", 1, 3, options)).toBe(0);
    expect(indexAfterKey("ArrowDown", 0, 3, options)).toBeUndefined();
    expect(indexAfterKey("PageDown", 0, 3, options)).toBeUndefined();
  });
});
