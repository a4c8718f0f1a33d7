import { describe, expect, it } from "vitest";
import type { ModelDetail } from "#api/types.ts";
import { searchModels } from "#models/search-models.ts";

function entry(id: string, type?: string, description?: string) {
  const detail: ModelDetail = { id, type, description, name: undefined, priceText: undefined, raw: {} };
  return { id, detail: type === undefined ? undefined : detail };
}

const entries = [
  entry("lumen-2", "image", "Photographs and posters"),
  entry("halide-video", "video", "Short films of people"),
  entry("overture", "audio", "Music for films"),
  entry("not-seen-yet"),
  entry("films-from-text", "video", "Clips"),
];
const ids = (search: Partial<Parameters<typeof searchModels>[1]>) =>
  searchModels(entries, { text: "", type: undefined, starred: [], onlyStarred: false, ...search }).map(({ id }) => id);

describe("searching models", () => {
  it("shows all in the service's own order when nothing is asked", () => {
    expect(ids({})).toEqual(entries.map(({ id }) => id));
  });

  it("finds all words in id or description, ids that start with them first", () => {
    expect(ids({ text: "FILMS" })).toEqual(["films-from-text", "halide-video", "overture"]);
    expect(ids({ text: "films music" })).toEqual(["overture"]);
    expect(ids({ text: "nothing" })).toEqual([]);
  });

  it("filters by type and includes models whose type is not known yet", () => {
    expect(ids({ type: "video" })).toEqual(["halide-video", "not-seen-yet", "films-from-text"]);
  });

  it("puts starred first, or shows them alone", () => {
    expect(ids({ starred: ["overture"] })[0]).toBe("overture");
    expect(ids({ starred: ["overture"], onlyStarred: true })).toEqual(["overture"]);
  });

  it("treats special characters in the search as text", () => {
    expect(ids({ text: ".*(" })).toEqual([]);
  });
});
