import "fake-indexeddb/auto";
import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { changeMarks, marksQuery } from "#results/marks/marks-store.ts";

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
