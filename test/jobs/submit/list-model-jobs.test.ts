import { expect, test } from "vitest";
import type { Job, JobListParams } from "#api/types.ts";
import { listModelJobs } from "#jobs/submit/list-model-jobs.ts";

const job = (requestId: string) => ({ requestId }) as Job;

test("P14 while new jobs arrive between the pages, no row is lost and none is there twice", async () => {
  const listed = Array.from({ length: 2_500 }, (_, index) => job(`job-${index}`));
  const offsets: (number | undefined)[] = [];
  const listJobs = async ({ offset = 0, limit = 0 }: JobListParams) => {
    offsets.push(offset);
    const page = { jobs: listed.slice(offset, offset + limit), total: undefined };
    // Newest first: what comes in the meantime moves everything on.
    for (let index = 0; index < 30; index += 1) listed.unshift(job(`later-${offset}-${index}`));
    return page;
  };
  const found = await listModelJobs({ api: { listJobs } as never }, "m", 0);
  const ids = found.map(({ requestId }) => requestId);
  expect(offsets).toEqual([0, 1_000, 2_000]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !id.startsWith("later-"))).toHaveLength(2_500);
});
