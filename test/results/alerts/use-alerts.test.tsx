import { renderHook } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { useFinishAlerts } from "#results/alerts/use-alerts.ts";
import { newRecord } from "#storage/job-records.ts";
import { someJob } from "../../setup/some-job.ts";

const icon = () => document.querySelector('link[rel="icon"]')?.getAttribute("href");

it("shows in the tab's title and icon how each job ended while the person was away", () => {
  const link = document.createElement("link");
  link.rel = "icon";
  document.head.append(link);
  onTestFinished(() => link.remove());
  vi.spyOn(document, "hasFocus").mockReturnValue(false);
  const ends = { "job-1": "success", "job-2": "cancelled", "job-3": "failed", "job-4": "success" };
  const jobs = (statusOf: (id: keyof typeof ends) => string) =>
    (Object.keys(ends) as (keyof typeof ends)[]).map((id) =>
      newRecord({ ...someJob(id, { status: statusOf(id) }), origin: "answered", submittedAtMs: 1 }),
    );
  const { rerender } = renderHook(({ tracked }) => useFinishAlerts(tracked, true), {
    initialProps: { tracked: jobs(() => "processing") },
  });
  rerender({ tracked: jobs((id) => (ends[id] === "cancelled" ? "cancelled" : "processing")) });
  expect(document.title).toContain("1 cancelled");
  expect(icon()).toBe("/favicon-done.svg");
  rerender({ tracked: jobs((id) => ends[id]) });
  expect(document.title).toContain("2 done, 1 failed, 1 cancelled");
  expect(icon()).toBe("/favicon-failed.svg");
  window.dispatchEvent(new Event("focus"));
});
