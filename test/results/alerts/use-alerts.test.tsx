import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { useFinishAlerts } from "#results/alerts/use-alerts.ts";
import { newRecord } from "#storage/job-records.ts";
import { someJob } from "../../setup/some-job.ts";

it("names in the tab's title how each job ended while the person was away", () => {
  vi.spyOn(document, "hasFocus").mockReturnValue(false);
  const ends = { "job-1": "success", "job-2": "cancelled", "job-3": "failed", "job-4": "success" };
  const jobs = (statusOf: (id: keyof typeof ends) => string) =>
    (Object.keys(ends) as (keyof typeof ends)[]).map((id) =>
      newRecord({ ...someJob(id, { status: statusOf(id) }), origin: "answered", submittedAtMs: 1 }),
    );
  const { rerender } = renderHook(({ tracked }) => useFinishAlerts(tracked, true), {
    initialProps: { tracked: jobs(() => "processing") },
  });
  rerender({ tracked: jobs((id) => ends[id]) });
  expect(document.title).toContain("2 done, 1 failed, 1 cancelled");
  window.dispatchEvent(new Event("focus"));
});
