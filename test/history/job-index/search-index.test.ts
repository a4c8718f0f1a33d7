import { describe, expect, it, vi } from "vitest";
import { readQuery, searchIndex, searchText } from "#history/job-index/search-index.ts";
import type { JobRecord } from "#storage/job-records.ts";
import fc from "../../setup/fc.ts";
import { someJob } from "../../setup/some-job.ts";

const NOW = new Date(2026, 10, 20, 12).getTime();
const DAY = 86_400;
const entry = (requestId: string, over: Partial<JobRecord> = {}) =>
  someJob(requestId, {
    model: "lumen-2",
    media: [{ id: "0", kind: "image", url: "https://x.example/a.png" }],
    payload: { prompt: "A lighthouse at dusk", seed: 7, style: "film" },
    createdAtSeconds: NOW / 1000 - DAY,
    ...over,
  });

const ENTRIES = [
  entry("aa-1", { priceMicroUsd: 600_000 }),
  entry("bb-2", { model: "halide-video", media: [{ id: "0", kind: "video", url: "https://x.example/a.mp4" }] }),
  entry("cc-3", {
    status: "failed",
    priceMicroUsd: 900_000,
    media: [],
    prompt: "A red tram",
    payload: { prompt: "A red tram", seed: 70 },
  }),
  entry("dd-4", { createdAtSeconds: NOW / 1000 - 50 * DAY, prompt: 'Snow, "quoted"', payload: undefined }),
  entry("ee-5", { createdAtSeconds: NOW / 1000 - 70 * DAY, priceMicroUsd: 20_000 }),
  entry("ff-6", { createdAtSeconds: undefined, model: undefined }),
];
const MARKS = new Map([
  ["bb-2", { requestId: "bb-2", isStarred: true, tags: ["client"], note: "", savedAtMs: 1 }],
  ["aa-1", { requestId: "aa-1", isStarred: false, tags: [], note: "" }],
]);

function find(query: string, filters = {}) {
  const texts = () => ENTRIES.map(searchText);
  return searchIndex({ entries: ENTRIES, texts, search: { q: query, ...filters }, marks: MARKS, nowMs: NOW }).map(
    (one) => one.requestId[0],
  );
}

describe("a search of the index", () => {
  it.each([
    ["*", "abcdef"],
    ["lighthouse", "abef"],
    ["LIGHTHOUSE film", "abef"],
    ['"at dusk" -seed:7', ""],
    ["-lighthouse", "cd"],
    ["model:halide", "b"],
    ["status:failed", "c"],
    ["status:failed,success type:video", "b"],
    ["status:success", "abdef"],
    ["status:done", "abdef"],
    ["-status:Done", "c"],
    ["status:failed,done type:video", "b"],
    ["type:image", "acdef"],
    ["seed:7", "abef"],
    ["id:dd", "d"],
    ["is:starred", "b"],
    ["-is:starred tag:client", ""],
    ["tag:CLIENT", "b"],
    ["is:saved", "b"],
    ["is:expiring", "d"],
    ["is:expired", "e"],
    ["cost>0.5", "ac"],
    ["cost:$0.02", "e"],
    ["cost<0.5", "e"],
    ["cost<0.02", ""],
    ["cost<=0.02", "e"],
    ["cost>=0.02", "ace"],
    ["cost>cheap", ""],
    ["after:2026-11-01", "abc"],
    ["before:2026-11-01", "de"],
    ["before:soon", ""],
    ["nosuch:thing", ""],
    ["is:whatever", ""],
    ["aa-1", "a"],
    ["style", "abef"],
  ])("%s finds %j", (query, found) => {
    expect(find(query).join("")).toBe(found);
  });

  it("respects the filters of the address", () => {
    expect(find("*", { model: "lumen-2", status: "success" }).join("")).toBe("ade");
    expect(find("*", { type: "video" }).join("")).toBe("b");
    // One without a file is of the type that its model makes elsewhere.
    expect(find("type:image status:failed").join("")).toBe("c");
    expect(find("*", { after: "2026-10-01", before: "2026-10-02" }).join("")).toBe("d");
  });

  it("never throws for any text", () => {
    fc.assert(fc.property(fc.string(), (query) => void find(query)));
    expect(readQuery('model:"a b" -"c" d:e "f')).toMatchObject([
      { field: "model", value: "a b" },
      { field: "text", value: "c", isNot: true },
      { field: "text", value: "d:e" },
      { field: "text", value: "f" },
    ]);
  });

  it("reads the text of each job once, and builds no job", () => {
    const entries = Array.from({ length: 10_000 }, (_, place) =>
      entry(`${place}`, {
        payload: { prompt: `A subject number ${place} under a red sky, long exposure, 35 mm film` },
      }),
    );
    let reads = 0;
    const made = new Proxy(entries.map(searchText), {
      get: (texts, place) => {
        if (/^\d+$/.test(String(place))) reads++;
        return Reflect.get(texts, place);
      },
    });
    const texts = vi.fn(() => made);
    const search = (query: string) => searchIndex({ entries, texts, search: { q: query }, marks: MARKS, nowMs: NOW });
    expect(search("subject 4242")).toHaveLength(1);
    expect(reads).toBe(entries.length);
    expect(texts).toHaveBeenCalledTimes(1);
    // Without a word no text is needed, nor asked for.
    search("status:success");
    expect(texts).toHaveBeenCalledTimes(1);
  });
});
