import "fake-indexeddb/auto";
import { QueryClient } from "@tanstack/react-query";
import { expect, it, test } from "vitest";
import { changeMarks, getStarredFiles, marksQuery, withFileStar } from "#results/marks/marks.ts";
import { readTags } from "#results/marks/tags.ts";
import { jobMarkRows } from "#storage/job-marks.ts";

it("stores two simultaneous changes to one job", async () => {
  await Promise.all([
    changeMarks("key", ["a", "b"], () => ({ isStarred: true })),
    changeMarks("key", ["b"], () => ({ savedAtMs: 5 })),
    changeMarks("key", ["b", "a"], ({ tags }) => ({ tags: [...tags, "blue"] })),
  ]);
  const { shown } = await new QueryClient().fetchQuery(marksQuery("key"));
  const none = { isStarred: true, tags: ["blue"], note: "" };
  expect([...shown]).toEqual([
    ["a", { requestId: "a", ...none }],
    ["b", { requestId: "b", ...none, savedAtMs: 5 }],
  ]);
});

it("tags are read from a line once each, trimmed and in lower case", () => {
  expect(readTags(" Client, final,,client ,  ")).toEqual(["client", "final"]);
});

const row = { key: "k", scope: "s", v: 1, body: undefined };
const places = (stars: Parameters<typeof getStarredFiles>[0], count = 4) => [...getStarredFiles(stars, count)];

test("a star of a whole job, as older versions store it, is on each of its files", () => {
  const marks = jobMarkRows.read({ requestId: "a", isStarred: true, tags: [], note: "" }, row);
  expect(places(marks)).toEqual([0, 1, 2, 3]);
});

test("a star that is set on one file leaves the others without, and the job has one", () => {
  const one = withFileStar(undefined, 2, 4);
  expect(one).toEqual({ isStarred: true, starredFiles: [2] });
  expect(places({ isStarred: true, starredFiles: [2] })).toEqual([2]);
});

test("the job loses its star with the last of its files", () => {
  expect(withFileStar({ isStarred: true, starredFiles: [2] }, 2, 4)).toEqual({ isStarred: false, starredFiles: [] });
});

test("one file less of a wholly starred job leaves the other three", () => {
  expect(withFileStar({ isStarred: true }, 1, 4)).toEqual({ isStarred: true, starredFiles: [0, 2, 3] });
});

test.each([["3"], [[-1]], [[0.5]], [["0"]], [null]])("places that cannot be, %j, are left out", (starredFiles) => {
  const marks = jobMarkRows.read({ requestId: "a", isStarred: true, starredFiles, tags: [], note: "" }, row);
  expect(marks).toEqual({ requestId: "a", isStarred: true, tags: [], note: "" });
});
