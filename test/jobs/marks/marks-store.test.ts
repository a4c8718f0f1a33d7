import "fake-indexeddb/auto";
import { expect, it } from "vitest";
import { changeMarks, marksStoreOf } from "#jobs/marks/marks-store.ts";
import { until } from "../../setup/until.ts";

it("stores two simultaneous changes to one job", async () => {
  await Promise.all([
    changeMarks("key", ["a", "b"], () => ({ isStarred: true })),
    changeMarks("key", ["b"], () => ({ savedAtMs: 5 })),
    changeMarks("key", ["b", "a"], ({ tags }) => ({ tags: [...tags, "blue"] })),
  ]);
  const store = marksStoreOf("key");
  const stop = store.subscribe(() => {});
  await until(() => expect(store.snapshot().size).toBe(2));
  const none = { isStarred: true, tags: ["blue"], note: "" };
  expect(store.snapshot().get("a")).toEqual({ requestId: "a", ...none });
  expect(store.snapshot().get("b")).toEqual({ requestId: "b", ...none, savedAtMs: 5 });
  stop();
});
