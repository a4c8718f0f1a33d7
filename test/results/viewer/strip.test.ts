import { describe, expect, it } from "vitest";
import { readViewedFile, viewedFileText } from "#history/history-search.ts";
import { jobStrip } from "#results/viewer/strip.ts";
import fc from "../../setup/fc.ts";
import { someJob } from "../../setup/some-job.ts";

const file = { id: "0", kind: "image", url: "https://x.example/a.png" } as const;
const entry = (requestId: string, files: number, payload?: Record<string, unknown>) =>
  someJob(requestId, { media: Array.from({ length: files }, () => file), payload });

describe("the strip of the viewer", () => {
  const entries = [entry("a", 2), entry("b", 0), entry("c", 1)];
  it("goes through a job's files, then to the next job, up to either end", () => {
    const strip = jobStrip(entries);
    const found = Array.from({ length: strip.count }, (_, at) => strip.at(at));
    const names = found.map((one) => one && viewedFileText({ id: one.result.id, file: one.file }));
    expect(names).toEqual(["a", "a~2", "b", "c"]);
    expect(names.map((name) => strip.indexOf(readViewedFile(name ?? "")))).toEqual([0, 1, 2, 3]);
    expect([strip.at(-1), strip.at(4), strip.indexOf(readViewedFile("gone"))]).toEqual([undefined, undefined, -1]);
    expect(strip.indexOf(readViewedFile("a~9"))).toBe(1);
  });

  it("finds every file of any list", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 4 }), { maxLength: 40 }), (files) => {
        const list = files.map((count, at) => entry(String(at), count));
        const strip = jobStrip(list);
        const all = list.flatMap((one) => Array.from({ length: Math.max(1, one.media.length) }, (_, at) => [one, at]));
        const found = Array.from({ length: strip.count }, (_, at) => [strip.at(at)?.result.job, strip.at(at)?.file]);
        expect(found).toEqual(all);
      }),
    );
  });

  it("has each of its files in the address, for any id", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat({ max: 900 }), (requestId, at) => {
        fc.pre(!/~\d+$/.test(requestId) && !requestId.includes("\n"));
        expect(readViewedFile(viewedFileText({ id: requestId, file: at }))).toEqual({ id: requestId, file: at });
      }),
    );
  });
});
