import { describe, expect, it } from "vitest";
import { readJob } from "#api/jobs.ts";
import type { Job } from "#api/types.ts";
import { createDetailLoader } from "#history/detail-loader.ts";
import { createSeenJobs } from "#history/job-index/seen-jobs.ts";
import { mergeRecords } from "#storage/job-records.ts";
import { someJob } from "../setup/some-job.ts";

const lean = (requestId: string, status = "success") => readJob({ request_id: requestId, model: "m", status });
const whole = (requestId: string): Job =>
  readJob({
    request_id: requestId,
    model: "m",
    status: "success",
    payload: { prompt: "A lamp" },
    outcome: { media_urls: [{ id: "0", type: "image", url: `https://media.example/${requestId}.png` }] },
  });
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A service whose answers come when they are let go. */
function open(answer: (requestId: string) => Job = whole) {
  const asked: string[] = [];
  const read: Job[] = [];
  const held: (() => void)[] = [];
  let isPaused = false;
  const fill = createDetailLoader({
    ask: (requestId) => {
      asked.push(requestId);
      return new Promise((resolve, reject) =>
        held.push(() => {
          try {
            resolve(answer(requestId));
          } catch (error) {
            reject(error);
          }
        }),
      );
    },
    isPaused: () => isPaused,
    onRead: (jobs) => read.push(...jobs),
    later: (run) => run(),
  });
  const answerAll = async () => {
    while (held.length > 0) {
      held.shift()?.();
      await settled();
    }
  };
  return { fill, asked, read, answerAll, pause: (value: boolean) => (isPaused = value) };
}

describe("lean entries in view", () => {
  it("are asked for two at a time, each once", async () => {
    const { fill, asked, read, answerAll } = open();
    const entries = ["a", "b", "c", "d"].map((id) => lean(id));
    fill(entries);
    expect(asked).toEqual(["a", "b"]);
    await answerAll();
    fill(entries);
    await answerAll();
    expect(asked).toEqual(["a", "b", "c", "d"]);
    expect(read[2]).toMatchObject({ requestId: "c", payload: { prompt: "A lamp" }, media: [{ kind: "image" }] });
  });

  it("are not asked for once they have left the view", async () => {
    const { fill, asked, answerAll } = open();
    fill(["a", "b", "c"].map((id) => lean(id)));
    fill(["x"].map((id) => lean(id)));
    await answerAll();
    expect(asked).toEqual(["a", "b", "x"]);
  });

  it("are asked for no more where records tell nothing, or cannot be read", async () => {
    for (const answer of [
      (id: string) => readJob({ request_id: id, model: "m", status: "success" }),
      () => {
        throw new Error("No answer.");
      },
    ]) {
      const { fill, asked, answerAll } = open(answer);
      fill(Array.from({ length: 50 }, (_, at) => lean(`r${at}`)));
      await answerAll();
      expect(asked.length).toBeLessThanOrEqual(5);
    }
  });

  it("are asked for again once their status is another one", async () => {
    const { fill, asked, answerAll } = open((id) =>
      readJob({ request_id: id, status: "queued", payload: { prompt: "x" } }),
    );
    fill([lean("a", "queued")]);
    await answerAll();
    fill([lean("a", "success")]);
    await answerAll();
    expect(asked).toEqual(["a", "a"]);
  });

  // P9
  it("are not asked for while the key is refused", async () => {
    const { fill, asked, answerAll, pause } = open();
    pause(true);
    fill([lean("a")]);
    expect(asked).toEqual([]);
    pause(false);
    fill([lean("a")]);
    await answerAll();
    expect(asked).toEqual(["a"]);
  });

  it("that lack nothing cost no request", () => {
    const { fill, asked } = open();
    fill([whole("a"), someJob("b", { status: "cancelled", payload: {} })]);
    expect(asked).toEqual([]);
  });
});

describe("what is known of a job", () => {
  it("stays when a lean list tells less of it", () => {
    const seen = createSeenJobs();
    seen.note([whole("a")]);
    seen.note([lean("a")]);
    expect(seen.get("a")).toMatchObject({ payload: { prompt: "A lamp" }, media: [{ kind: "image" }] });
  });

  it("gives way to a list that says that there are no files", () => {
    const deleted = readJob({ request_id: "a", status: "success", outcome: { media_urls: [] } });
    expect(mergeRecords(whole("a"), deleted).media).toEqual([]);
  });

  it("of another state keeps the prompt and loses files and reason", () => {
    const failed = someJob("a", { status: "failed", failureReason: "Why.", payload: { prompt: "x" } });
    expect(mergeRecords(failed, lean("a"))).toMatchObject({
      payload: { prompt: "x" },
      failureReason: undefined,
      media: [],
    });
  });
});
