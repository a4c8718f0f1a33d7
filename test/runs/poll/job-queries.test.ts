import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { getNewestJobs, noteNewestJobs } from "#runs/poll/job-queries.ts";
import { someJob } from "../../setup/some-job.ts";

test("the newest jobs that submits listed are those of each model, and no list from some time on", () => {
  const client = new QueryClient();
  const ids = () => getNewestJobs(client).map(({ requestId }) => requestId);
  expect(ids()).toEqual([]);
  noteNewestJobs(client, { model_id: "m", limit: 200 }, [someJob("job-1"), someJob("job-2")]);
  noteNewestJobs(client, { model_id: "n", limit: 200 }, [someJob("job-3")]);
  noteNewestJobs(client, { model_id: "n", created_after: 9 }, [someJob("job-4")]);
  noteNewestJobs(client, { limit: 200 }, [someJob("job-5")]);
  noteNewestJobs(client, { model_id: "n", limit: 200, offset: 200 }, [someJob("job-6")]);
  noteNewestJobs(client, { model_id: "n", limit: 200, next: { cursor: "c" } }, [someJob("job-7")]);
  expect(ids()).toEqual(["job-1", "job-2", "job-3"]);
  noteNewestJobs(client, { model_id: "m", limit: 200 }, [someJob("job-8")]);
  expect(ids().sort()).toEqual(["job-3", "job-8"]);
});
