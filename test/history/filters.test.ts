import { describe, expect, it } from "vitest";
import { getSearchedModels, modelsText, readHistorySearch } from "#history/history-search.ts";
import {
  countBy,
  getFacetCounts,
  queryParts,
  searchIndex,
  withoutTerm,
  withTerm,
} from "#history/job-index/search-index.ts";
import { someJob } from "../setup/some-job.ts";

const NOW = new Date(2026, 10, 20, 12).getTime();
const DAY = 86_400;
const file = (kind: "image" | "video") => ({ id: kind, url: `https://x.example/${kind}`, kind });

function found(entries: readonly ReturnType<typeof someJob>[], query: string, filters = {}): string[] {
  const index = { entries, texts: () => entries.map(({ prompt = "" }) => prompt.toLowerCase()) };
  const known = { marks: new Map(), nowMs: NOW };
  return searchIndex({ ...index, ...known, search: { q: query, ...filters } }).map(({ requestId }) => requestId);
}

describe("several models", () => {
  it("are one address, also where an id has a comma", () => {
    const text = modelsText(["lumen-2", "studio,large"]);
    const search = readHistorySearch({ model: text });
    expect(getSearchedModels(search)).toEqual(["lumen-2", "studio,large"]);
    expect(getSearchedModels({})).toEqual([]);
    expect(modelsText([])).toBeUndefined();
  });

  it("find the jobs of each, and no others", () => {
    const entries = ["lumen-2", "lumen-2-fast", "halide", undefined].map((model, place) =>
      someJob(`job-${place}`, { model }),
    );
    expect(found(entries, "*", { model: "lumen-2,HALIDE" })).toEqual(["job-0", "job-2"]);
  });
});

describe("the term expires", () => {
  const entries = [0.5, 6.9, 7.1, 50].map((daysLeft) =>
    someJob(`left-${daysLeft}`, {
      media: [file("image")],
      createdAtSeconds: NOW / 1000 - (60 - daysLeft) * DAY,
    }),
  );
  const gone = someJob("gone", { media: [file("image")], createdAtSeconds: NOW / 1000 - 61 * DAY });
  const empty = someJob("empty", { createdAtSeconds: NOW / 1000 - 58 * DAY });

  it("finds files by the days that are left, and none that are over", () => {
    const all = [...entries, gone, empty];
    expect(found(all, "expires<7")).toEqual(["left-0.5", "left-6.9"]);
    expect(found(all, "expires>7")).toEqual(["left-7.1", "left-50"]);
    expect(found(all, "-expires<7 expires<60")).toEqual(["left-7.1", "left-50"]);
    expect(found(all, "expires:soon")).toEqual([]);
  });
});

describe("the search as it is written", () => {
  it("is the text itself in parts, with its terms apart", () => {
    const text = 'red kite cost<1  -type:video tag:"two words" http://x.example a:b';
    const parts = queryParts(text);
    expect(parts.map((part) => part.text).join("")).toBe(text);
    expect(parts.filter(({ isTerm }) => isTerm).map((part) => part.text)).toEqual([
      "cost<1",
      "-type:video",
      'tag:"two words"',
    ]);
    expect(parts.some(({ wrong }) => wrong)).toBe(false);
  });

  it.each([
    ["after:2026-02-30", /use a date/],
    ["before:yesterday", /use a date/],
    ["cost>cheap", /use a number/],
    ["is:nice", /starred, saved/],
    ["type:pictures", /image, video or audio/],
    ["cost>5d", /use a number, such as cost/],
    ["expires<$7", /use a number, such as expires/],
    ["is:starred,saved", /starred, saved, expiring or expired/],
    ["model:", /add a value, such as model:flux/],
  ])("says what is wrong with %s", (text, words) => {
    expect(queryParts(text)[0]?.wrong).toMatch(words);
  });

  it.each([
    ["cost>0.5", ["dear"]],
    ["cost>$.5", ["dear"]],
    ["expires<7D", ["dear"]],
    ["is:Expired", ["old"]],
    ["type:image,VIDEO", ["dear", "old"]],
  ])("takes %s for right and understands it", (text, ids) => {
    const entries = [
      someJob("dear", { priceMicroUsd: 600_000, media: [file("image")], createdAtSeconds: NOW / 1000 - 58 * DAY }),
      someJob("old", { priceMicroUsd: 100_000, media: [file("video")], createdAtSeconds: NOW / 1000 - 70 * DAY }),
    ];
    expect(queryParts(text)[0]?.wrong).toBeUndefined();
    expect(found(entries, text)).toEqual(ids);
  });

  it("takes a term once and gives it back", () => {
    expect(withTerm(undefined, "is:starred")).toBe("is:starred");
    expect(withTerm("kite", "is:starred")).toBe("kite is:starred");
    expect(withTerm("kite is:starred", "is:starred")).toBe("kite is:starred");
    expect(withoutTerm("is:starred kite", "is:starred")).toBe("kite");
    expect(withoutTerm("is:starred", "is:starred")).toBeUndefined();
  });
});

it("counts by type also jobs without files, as their models' other jobs show", () => {
  const made = someJob("made", { model: "halide", media: [file("video"), file("video")] });
  const failed = someJob("failed", { model: "halide", status: "failed" });
  const counts = countBy("type", [made, failed], [made, failed]);
  expect(Object.fromEntries(counts)).toEqual({ video: 2 });
  expect(Object.fromEntries(countBy("status", [made, failed], []))).toEqual({ success: 1, failed: 1 });
});

it("counts what the list finds by price", () => {
  const known = { model: "halide", priceMicroUsd: 900_000 };
  const entries = [someJob("known", known), someJob("cheap", { priceMicroUsd: 1 })];
  const searched = { entries, texts: () => [], marks: new Map(), nowMs: NOW };
  const search = { q: "cost>0.5" };
  expect(Object.fromEntries(getFacetCounts("model", { ...searched, search }))).toEqual({ halide: 1 });
  const failed = { ...search, status: "failed" };
  expect(Object.fromEntries(getFacetCounts("model", { ...searched, search: failed }))).toEqual({});
});
