import { expect, it } from "vitest";
import { readTags } from "#results/marks/tags.ts";

it("tags are read from a line once each, trimmed and in lower case", () => {
  expect(readTags(" Client, final,,client ,  ")).toEqual(["client", "final"]);
});
