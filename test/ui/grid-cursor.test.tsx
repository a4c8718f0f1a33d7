import { renderHook } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  createGridPositions,
  cursorAfterKey,
  cursorAfterPress,
  type GridCursor,
  type GridKey,
  type GridPositions,
  movedTo,
  NO_CURSOR,
  toggled,
  useActiveOrNeighbor,
  withoutRemoved,
} from "#ui/grid-cursor.ts";
import fc from "../setup/fc.ts";

const places = (hasColumns: boolean, ...lines: (string | undefined)[][]): GridPositions =>
  createGridPositions(
    lines.map((cells) => ({ cells, height: 100 })),
    lines.flatMap((cells) => cells.flatMap((id) => (id === undefined || id.startsWith("heading") ? [] : id))),
    hasColumns,
  );
const press = (key: string, cursor: GridCursor, where: GridPositions, rest: Partial<GridKey> = {}) =>
  cursorAfterKey({ key, shift: false, mod: false, ...rest }, cursor, where);
const on = (id: string) => movedTo(NO_CURSOR, id);

describe("keys of a grid, as in a file manager", () => {
  const text = places(false, ["heading 1"], ["a", "b", "c"], ["d", "e"], [], ["f", "g", "h"]);
  const table = places(true, ["a1", "b1", undefined], ["a2", undefined, "c2"], ["a3", "b3", "c3"]);
  const to = (key: string, from: string, where: GridPositions, rest?: Partial<GridKey>) =>
    press(key, on(from), where, rest)?.active;

  it("lead on through the lines where columns mean nothing", () => {
    expect(to("ArrowRight", "c", text)).toBe("d");
    expect(to("ArrowLeft", "f", text)).toBe("e");
    expect(to("ArrowDown", "c", text)).toBe("e");
    expect(to("ArrowDown", "e", text)).toBe("g");
    expect(to("ArrowUp", "a", text)).toBe("heading 1");
    expect(to("Home", "g", text)).toBe("heading 1");
    expect(to("End", "a", text)).toBe("h");
    expect(to("ArrowRight", "h", text)).toBe("h");
    expect(press("ArrowDown", NO_CURSOR, text)?.active).toBe("heading 1");
  });

  it("stay in their line or column where columns mean something, and go over empty places", () => {
    expect(to("ArrowDown", "b1", table)).toBe("b3");
    expect(to("ArrowRight", "a2", table)).toBe("c2");
    expect(to("ArrowRight", "c2", table)).toBe("c2");
    expect(to("ArrowUp", "c2", table)).toBe("c2");
    expect(to("End", "a2", table)).toBe("c2");
    expect(to("End", "a2", table, { mod: true })).toBe("c3");
    expect(to("Home", "c3", table, { mod: true })).toBe("a1");
  });

  it("a page is as many lines as it is high, one at least", () => {
    expect(to("PageDown", "a1", table, { page: 200 })).toBe("a3");
    expect(to("PageDown", "a1", table, { page: 10 })).toBe("a2");
    expect(to("PageUp", "a3", table, { page: 1e6 })).toBe("a1");
    expect(to("PageUp", "a1", table, { page: 200 })).toBe("a1");
  });

  it("Shift draws a range from where it began, back as well, beside what was selected before", () => {
    let cursor = toggled(NO_CURSOR, "h");
    cursor = movedTo(cursor, "b");
    const shift = (key: string) => {
      cursor = press(key, cursor, text, { shift: true }) ?? cursor;
      return [...cursor.selected].sort().join("");
    };
    expect(shift("ArrowRight")).toBe("bch");
    expect(shift("ArrowDown")).toBe("bcdeh");
    expect(shift("ArrowLeft")).toBe("bcdh");
    expect(shift("ArrowUp")).toBe("abh");
    expect(shift("Home")).toBe("abh");
  });

  it("a range is what is between two in reading order, or the rectangle that they span", () => {
    const range = (from: string, to: string, where: GridPositions) => [
      ...(cursorAfterPress({ shift: true, mod: false }, to, on(from), where)?.selected ?? []),
    ];
    expect(range("g", "b", text)).toEqual(["b", "c", "d", "e", "f", "g"]);
    expect(range("heading 1", "a", text)).toEqual(["a"]);
    expect(range("a1", "b3", table)).toEqual(["a1", "b1", "a2", "a3", "b3"]);
    expect(range("gone", "a1", table)).toEqual(["a1"]);
    // The anchor is gone by now, and the keyboard is on another one.
    const left = { ...on("c"), anchor: "gone" };
    expect([...(press("ArrowRight", left, text, { shift: true })?.selected ?? [])]).toEqual(["c", "d"]);
  });

  it("what was selected before is not drawn again once it was cleared", () => {
    const two = press("ArrowRight", on("a"), text, { shift: true }) ?? NO_CURSOR;
    const cleared = press("Escape", two, text) ?? NO_CURSOR;
    expect([...(press("ArrowRight", cleared, text, { shift: true })?.selected ?? [])]).toEqual(["b", "c"]);
    const jumped = press("Home", on("c3"), table, { mod: true }) ?? NO_CURSOR;
    expect([...(press("ArrowRight", jumped, table, { shift: true })?.selected ?? [])]).toEqual(["a1", "b1"]);
  });

  it("Space toggles, mod+A selects all, and Escape clears only a selection", () => {
    expect([...(press(" ", on("b"), text)?.selected ?? [])]).toEqual(["b"]);
    expect(press(" ", toggled(NO_CURSOR, "b"), text)?.selected.size).toBe(0);
    expect(press(" ", on("heading 1"), text)).toBeUndefined();
    expect(press("a", on("b"), text, { mod: true })?.selected.size).toBe(8);
    expect(press("Escape", toggled(NO_CURSOR, "b"), text)?.selected.size).toBe(0);
    expect(press("Escape", on("b"), text)).toBeUndefined();
  });

  it("mod moves without beginning a range there", () => {
    const moved = press("ArrowRight", on("a"), text, { mod: true }) ?? NO_CURSOR;
    expect([moved.active, moved.anchor]).toEqual(["b", "a"]);
    expect([...(press("ArrowRight", moved, text, { shift: true })?.selected ?? [])]).toEqual(["a", "b", "c"]);
  });

  it("plain letters and browser shortcuts are not handled", () => {
    for (const key of ["a", "r", "Tab", "F5", "/"]) expect(press(key, on("a"), text)).toBeUndefined();
    expect(press("r", on("a"), text, { mod: true })).toBeUndefined();
  });
});

it("a press with Ctrl or Cmd toggles, with Shift selects a range, and a plain one is for what is pressed", () => {
  const where = places(false, ["a", "b"], ["c", "d"]);
  expect(cursorAfterPress({ shift: false, mod: false }, "d", on("a"), where)).toBeUndefined();
  expect([...(cursorAfterPress({ shift: false, mod: true }, "d", on("a"), where)?.selected ?? [])]).toEqual(["d"]);
  expect(cursorAfterPress({ shift: true, mod: false }, "d", on("b"), where)?.selected.size).toBe(3);
});

it("what is gone is not selected any more", () => {
  const cursor = toggled(toggled(NO_CURSOR, "a"), "b");
  expect(withoutRemoved(cursor, () => true)).toBe(cursor);
  expect([...withoutRemoved(cursor, (id) => id !== "a").selected]).toEqual(["b"]);
});

it("any keys leave the cursor inside any grid, and select only what can be", () => {
  const cells = fc.array(fc.constantFrom("cell", "cell", "heading", "empty"), { maxLength: 5 });
  const grids = fc.record({ kinds: fc.array(cells, { maxLength: 6 }), hasColumns: fc.boolean() });
  const keys = "ArrowUp ArrowDown ArrowLeft ArrowRight PageUp PageDown Home End Escape a".split(" ");
  const key = fc.constantFrom(" ", ...keys);
  const presses = fc.array(
    fc.record({ key, shift: fc.boolean(), mod: fc.boolean(), page: fc.constantFrom(0, 10, 250) }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(grids, presses, ({ kinds, hasColumns }, sequence) => {
      const lines = kinds.map((line, y) => line.map((kind, x) => (kind === "empty" ? undefined : `${kind} ${y} ${x}`)));
      const where = places(hasColumns, ...lines);
      const all = lines.flat();
      let cursor = NO_CURSOR;
      for (const one of sequence) {
        cursor = cursorAfterKey(one, cursor, where) ?? cursor;
        if (cursor.active !== undefined) expect(all).toContain(cursor.active);
        expect([...cursor.selected].every((id) => where.ids.includes(id))).toBe(true);
        if (
          one.shift &&
          cursor.active !== undefined &&
          where.ids.includes(cursor.active) &&
          one.key.startsWith("Arrow")
        ) {
          expect(cursor.selected).toContain(cursor.active);
        }
      }
    }),
  );
});

it("the keyboard is on what stands in the place of one that is gone", () => {
  const order = ["a", "b", "c"];
  const { result, rerender } = renderHook(({ active, all }) => useActiveOrNeighbor(active, all), {
    initialProps: { active: "b" as string | undefined, all: order },
  });
  expect(result.current).toBe("b");
  rerender({ active: "b", all: ["a", "c"] });
  expect(result.current).toBe("c");
  rerender({ active: "b", all: ["a"] });
  expect(result.current).toBe("a");
  rerender({ active: "b", all: [] });
  expect(result.current).toBeUndefined();
  rerender({ active: undefined, all: order });
  expect(result.current).toBeUndefined();
});
