import { describe, expect, it } from "vitest";
import type { JobListParams } from "#api/types.ts";
import { findOffsetUnit } from "#runs/job-list/job-pages.ts";
import { toJob } from "./list-of.ts";

/** A list that counts jobs or pages; after its first answer so many jobs arrive. */
function service(count: number, unit: "items" | "pages", arrivals = 0) {
  const ids = Array.from({ length: count }, (_, place) => `job-${place}`);
  let asked = 0;
  return {
    asked: () => asked,
    listJobs: async ({ limit = 20, offset = 0 }: JobListParams) => {
      asked++;
      if (asked === 2) ids.unshift(...Array.from({ length: arrivals }, (_, place) => `new-${place}`));
      const from = unit === "pages" ? offset * limit : offset;
      return { jobs: ids.slice(from, from + limit).map((id) => toJob({ id, at: undefined })), total: undefined };
    },
  };
}

// (spec 4.1: "page offset")
describe("what the offset of the job list counts", () => {
  const counts = [2, 3, 10, 11, 12, 500];
  it.each(["items", "pages"] as const)("is found to be %s with two requests", async (unit) => {
    for (const count of counts) {
      const api = service(count, unit);
      expect(await findOffsetUnit(api)).toBe(unit);
      expect(api.asked()).toBe(2);
    }
  });

  it("is found although jobs are added in between", async () => {
    for (const arrivals of [1, 2, 8]) {
      expect(await findOffsetUnit(service(500, "pages", arrivals))).toBe("pages");
      expect(await findOffsetUnit(service(500, "items", arrivals))).toBe("items");
    }
  });

  it.each([0, 1])("asks nothing more with %d jobs", async (count) => {
    expect(await findOffsetUnit(service(count, "pages"))).toBe("items");
  });
});
