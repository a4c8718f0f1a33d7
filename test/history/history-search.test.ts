import { describe, expect, it } from "vitest";
import { changedSearch, daySeconds, listKey, readHistorySearch } from "#history/history-search.ts";
import { filterParams } from "#history/use-listing.ts";
import fc from "../setup/fc.ts";

describe("the address of History", () => {
  it("has known values and no defaults", () => {
    const raw = {
      model: "lumen-2",
      type: "video,image",
      status: ["failed", "success"],
      after: "2026-11-01",
    };
    expect(readHistorySearch(raw)).toEqual({
      model: "lumen-2",
      type: "image,video",
      status: "success,failed",
      after: "2026-11-01",
    });
    expect(readHistorySearch({ view: "grid", q: " " })).toEqual({});
  });

  it.each([
    [{ page: -1 }, {}],
    [{ after: "2026-02-30" }, {}],
    [{ after: "yesterday" }, {}],
    [{ type: "text,hologram" }, {}],
    [{ status: "dispatched" }, {}],
    [{ model: 42 }, { model: "42" }],
    [{ view: "poster" }, {}],
    [{ unknown: 1 }, {}],
    ["page=2", {}],
    [null, {}],
  ])("is read from %j as %j", (raw, search) => {
    expect(readHistorySearch(raw)).toEqual(search);
  });

  it("is read without throwing, and its own output unchanged", () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        const search = readHistorySearch(raw);
        expect(readHistorySearch(search)).toEqual(search);
      }),
    );
  });

  it("closes the viewer on every change but that of the view", () => {
    const search = { open: "a", status: "failed" };
    expect(changedSearch(search, { status: "success" })).toEqual({ status: "success" });
    expect(changedSearch(search, { view: "table" })).toEqual({ open: "a", status: "failed", view: "table" });
    expect(changedSearch(search, { status: undefined })).toEqual({});
  });

  it("ignores the pages of older addresses, and their search for everything", () => {
    expect(readHistorySearch({ q: "*", page: "3", limit: "20", type: "image" })).toEqual({ type: "image" });
  });
});

it("an open viewer or another order of parameters gives the same list", () => {
  const key = listKey({ type: "image" });
  expect(listKey({ type: "image", open: "a", view: "table", compare: "a,b" })).toBe(key);
  expect(listKey({ type: "video" })).not.toBe(key);
});

// (spec 4.1)
describe("the query of the job list", () => {
  it("has both days in full, in Unix seconds", () => {
    const search = { model: "m", type: "image,video", status: "failed", after: "2026-11-01", before: "2026-11-01" };
    const params = filterParams(search);
    expect(params).toEqual({
      model_id: "m",
      model_type: ["image", "video"],
      status: ["failed"],
      created_after: new Date(2026, 10, 1).getTime() / 1000,
      created_before: new Date(2026, 10, 2).getTime() / 1000,
    });
    expect(daySeconds("2026-12-31", 1)).toBe(new Date(2027, 0, 1).getTime() / 1000);
  });
});
