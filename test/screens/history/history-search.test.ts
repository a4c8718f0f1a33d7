import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedSearch, daySeconds, listKey, readHistorySearch } from "#screens/history/history-search.ts";
import { filterParams, pageParams } from "#screens/history/use-history-page.ts";

describe("the address of History", () => {
  it("has known values and no defaults", () => {
    const raw = {
      model: "lumen-2",
      type: "video,image",
      status: ["failed", "success"],
      after: "2026-11-01",
      limit: "100",
      page: "3",
    };
    expect(readHistorySearch(raw)).toEqual({
      model: "lumen-2",
      type: "image,video",
      status: "success,failed",
      after: "2026-11-01",
      limit: 100,
      page: 3,
    });
    expect(readHistorySearch({ limit: 50, page: 1, view: "grid" })).toEqual({});
  });

  it.each([
    [{ limit: 5000 }, { limit: 1000 }],
    [{ limit: 0 }, {}],
    [{ limit: 2.5 }, {}],
    [{ page: -1 }, {}],
    [{ page: "NaN" }, {}],
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

  it("returns to the first page on every change except page or view", () => {
    const search = { page: 4, status: "failed" };
    expect(changedSearch(search, { status: "success" })).toEqual({ status: "success" });
    expect(changedSearch(search, { limit: 100 })).toEqual({ status: "failed", limit: 100 });
    expect(changedSearch(search, { page: 5 })).toEqual({ status: "failed", page: 5 });
    expect(changedSearch(search, { view: "table" })).toEqual({ page: 4, status: "failed", view: "table" });
    expect(changedSearch(search, { status: undefined })).toEqual({});
  });
});

it("an open viewer or another order of parameters gives the same list", () => {
  const key = listKey({ type: "image", limit: 20 });
  expect(listKey({ limit: 20, type: "image", open: "a", view: "table", compare: "a,b" })).toBe(key);
  expect(listKey({ limit: 20, type: "video" })).not.toBe(key);
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

  it("counts jobs or pages as the service does; the first page has no offset", () => {
    expect(pageParams({ page: 3, limit: 20 }, "items")).toEqual({ limit: 20, offset: 40 });
    expect(pageParams({ page: 3, limit: 20 }, "pages")).toEqual({ limit: 20, offset: 2 });
    expect(pageParams({}, "pages")).toEqual({ limit: 50 });
  });
});
