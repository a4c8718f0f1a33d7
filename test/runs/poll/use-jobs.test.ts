import { describe, expect, test } from "vitest";
import { joined } from "#runs/poll/use-jobs.ts";
import { newRecord, type TrackedJob } from "#storage/job-records.ts";

const row = (status: string, reportedAtMs: number, more: Partial<TrackedJob> = {}): TrackedJob => ({
  ...newRecord({ requestId: "job-1", model: "m", payload: { prompt: "Hen" }, origin: "answered", submittedAtMs: 1 }),
  priceMicroUsd: 7,
  status,
  reportedAtMs,
  ...more,
});
const reported = (status: string, reportedAtMs?: number, more = {}) => {
  const { requestId, model, media, raw } = row(status, 0);
  const echo = {
    payload: { prompt: "Hen", seed: null },
    createdAtSeconds: 9,
    updatedAtSeconds: 9,
    failureReason: undefined,
  };
  return {
    requestId,
    model,
    media,
    raw,
    status,
    ...echo,
    ...(reportedAtMs === undefined ? {} : { reportedAtMs }),
    ...more,
  };
};

describe("a job on the screen", () => {
  test("is what was reported, with what only this browser knows", () => {
    const job = joined(row("queued", 5), reported("processing", 6));
    expect(job).toMatchObject({ status: "processing", createdAtSeconds: 9, priceMicroUsd: 7, origin: "answered" });
    expect(job?.payload).toEqual({ prompt: "Hen" });
    expect(joined(undefined, reported("queued", 6))).toMatchObject({ status: "queued", payload: { seed: null } });
    expect(joined(row("queued", 5), undefined)).toMatchObject({ status: "queued", priceMicroUsd: 7 });
    expect(joined(undefined, undefined)).toBeUndefined();
  });

  test("is what another tab was reported later, and never older than its end", () => {
    expect(joined(row("processing", 9), reported("queued", 6))?.status).toBe("processing");
    // From a list call of another screen: nobody knows when.
    expect(joined(row("processing", 9), reported("queued"))?.status).toBe("processing");
    expect(joined(row("failed", 5), reported("processing", 6))?.status).toBe("failed");
    expect(joined(row("processing", 9), reported("success", 6))?.status).toBe("success");
    // Of the same report the row is what was read from it.
    expect(joined(row("queued", 6), reported("processing", 6))?.status).toBe("processing");
  });

  test("has the files that another tab read after this one was told of none", () => {
    const media = [{ id: "0", kind: "image", url: "https://files.example/1.png" } as const];
    expect(joined(row("success", 9, { media: [...media] }), reported("success", 6))?.media).toEqual(media);
    expect(joined(row("success", 5, { media: [...media] }), reported("success", 6))?.media).toEqual([]);
  });

  test("has files that came inline, which are in no row", () => {
    const media = [{ id: "0", kind: "image", url: "data:image/png;base64,AAAA" }];
    const job = joined(row("success", 9, { lacksOutcome: true }), reported("success", 6, { media }));
    expect(job?.media).toEqual(media);
  });
});
