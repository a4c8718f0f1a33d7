import { describe, expect, it } from "vitest";
import { readJob } from "#api/jobs.ts";
import type { Job } from "#api/types.ts";
import { fuller, toEntry } from "#screens/history/history-entry.ts";
import { createLeanFill } from "#screens/history/lean-entries.ts";
import { createSeenJobs } from "#screens/history/search/seen-jobs.ts";
import { someEntry } from "./some-entry.ts";

const lean = (requestId: string, status = "success") => toEntry(readJob({ request_id: requestId, model: "m", status }));
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
  const held: (() => void)[] = [];
  let isPaused = false;
  const fill = createLeanFill({
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
    later: (run) => run(),
  });
  const answerAll = async () => {
    while (held.length > 0) {
      held.shift()?.();
      await settled();
    }
  };
  return { fill, asked, answerAll, pause: (value: boolean) => (isPaused = value) };
}

describe("lean entries in view", () => {
  it("are asked for two at a time, each once", async () => {
    const { fill, asked, answerAll } = open();
    const entries = ["a", "b", "c", "d"].map((id) => lean(id));
    fill.want(entries);
    expect(asked).toEqual(["a", "b"]);
    await answerAll();
    fill.want(entries);
    await answerAll();
    expect(asked).toEqual(["a", "b", "c", "d"]);
    expect(fill.filled().get("c")).toMatchObject({ prompt: "A lamp", media: [{ kind: "image" }] });
  });

  it("are not asked for once they have left the view", async () => {
    const { fill, asked, answerAll } = open();
    fill.want(["a", "b", "c"].map((id) => lean(id)));
    fill.want(["x"].map((id) => lean(id)));
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
      fill.want(Array.from({ length: 50 }, (_, at) => lean(`r${at}`)));
      await answerAll();
      expect(asked.length).toBeLessThanOrEqual(5);
    }
  });

  it("are asked for again once their status is another one", async () => {
    const { fill, asked, answerAll } = open((id) =>
      readJob({ request_id: id, status: "queued", payload: { prompt: "x" } }),
    );
    fill.want([lean("a", "queued")]);
    await answerAll();
    fill.want([lean("a", "success")]);
    await answerAll();
    expect(asked).toEqual(["a", "a"]);
  });

  // P9
  it("are not asked for while the key is refused", async () => {
    const { fill, asked, answerAll, pause } = open();
    pause(true);
    fill.want([lean("a")]);
    expect(asked).toEqual([]);
    pause(false);
    fill.want([lean("a")]);
    await answerAll();
    expect(asked).toEqual(["a"]);
  });

  it("that lack nothing cost no request", () => {
    const { fill, asked } = open();
    fill.want([toEntry(whole("a")), someEntry("b", { status: "cancelled", payload: {} })]);
    expect(asked).toEqual([]);
  });
});

describe("what is known of a job", () => {
  it("stays when a lean list tells less of it", () => {
    const seen = createSeenJobs();
    seen.note([toEntry(whole("a"))]);
    seen.note([lean("a")]);
    expect(seen.get("a")).toMatchObject({ prompt: "A lamp", media: [{ kind: "image" }] });
  });

  it("gives way to a list that says that there are no files", () => {
    const deleted = toEntry(readJob({ request_id: "a", status: "success", outcome: { media_urls: [] } }));
    expect(fuller(deleted, toEntry(whole("a"))).media).toEqual([]);
  });

  it("of another state keeps the prompt and loses files and reason", () => {
    const failed = someEntry("a", { status: "failed", failureReason: "Why.", payload: { prompt: "x" }, prompt: "x" });
    expect(fuller(lean("a"), failed)).toMatchObject({ prompt: "x", failureReason: undefined, media: [] });
  });
});
