import "../../../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Api } from "#api/create-api.ts";
import { joinRow } from "#screens/history/job-facts.ts";
import { createJobIndex } from "#screens/history/search/job-index.ts";
import {
  isComplete,
  isWhole,
  NOTHING_READ,
  planFrom,
  planOfVisit,
  reachSeconds,
  readPlan,
} from "#screens/history/search/read-plan.ts";
import { CHUNK, createSeenJobs } from "#screens/history/search/seen-jobs.ts";
import { indexedRecord } from "#screens/history/search/seen-rows.ts";
import { type JobRecord, newRecord } from "#storage/job-records.ts";
import { readIndexed } from "#storage/seen-jobs.ts";
import { openSandboxMedia } from "../../../media/sandbox-media.ts";
import { until } from "../../../setup/until.ts";
import { freshDatabase } from "../../../storage/fresh-database.ts";
import { someEntry } from "../some-entry.ts";

const entry = (place: number, over: Partial<JobRecord> = {}) =>
  someEntry(`job-${place}`, {
    payload: { prompt: `Prompt ${place}` },
    createdAtSeconds: 1_700_000_000 - place,
    ...over,
  });
const many = (count: number) => Array.from({ length: count }, (_, place) => entry(place));

describe("the jobs seen so far", () => {
  it("are held once, newest first, in any order of reading", () => {
    const seen = createSeenJobs();
    seen.note([entry(3), entry(1)]);
    seen.note([entry(2), entry(1), entry(0)]);
    expect(seen.entries().map((one) => one.requestId)).toEqual(["job-0", "job-1", "job-2", "job-3"]);
    expect(seen.texts()[2]).toContain("prompt 2");
  });

  it("have their texts made in small portions, and again after a change", () => {
    const seen = createSeenJobs([many(600)]);
    let asked = 0;
    expect(seen.makeTexts(() => asked++ > 0)).toBe(false);
    expect(seen.makeTexts(() => false)).toBe(true);
    expect(seen.texts()).toHaveLength(600);
    seen.note([entry(600)]);
    expect(seen.texts()[600]).toContain("prompt 600");
  });

  it("take a new status, and keep a price that no record has", () => {
    const seen = createSeenJobs([[entry(0, { status: "queued", priceMicroUsd: 5 })]]);
    expect([...seen.note([entry(0)])]).toEqual([0]);
    expect(seen.entries()[0]).toMatchObject({ status: "success", priceMicroUsd: 5 });
    expect([...seen.note([entry(0)])]).toEqual([]);
  });

  it("report which records of the database changed", () => {
    const seen = createSeenJobs();
    expect([...seen.note(many(CHUNK * 2 + 1))]).toEqual([0, 1, 2]);
    expect([...seen.note([entry(CHUNK, { status: "failed" })])]).toEqual([1]);
  });

  it("leave out what is too large to keep a hundred thousand of", () => {
    const inline = { id: "0", kind: "image", url: `data:image/png;base64,${"A".repeat(5000)}` } as const;
    const stored = indexedRecord(
      entry(0, { media: [inline], payload: { prompt: "Prompt 0", image: "x".repeat(9000) } }),
    );
    expect(stored).toMatchObject({ media: [], payload: undefined, prompt: "Prompt 0" });
  });

  it.each([null, 7, [], {}, { requestId: 1, status: "success" }])("are none when read back as %j", (raw) => {
    expect(readIndexed(raw)).toBeUndefined();
  });

  it("are unchanged after JSON", () => {
    const full = entry(1, {
      media: [{ id: "0", kind: "video", url: "https://x.example/a.mp4", width: 4, height: 3 }],
      priceMicroUsd: 1,
    });
    expect(readIndexed(JSON.parse(JSON.stringify(full)))).toEqual(full);
  });
});

const never = new Promise<never>(() => undefined);

describe("the index of a key", () => {
  let sandbox: ReturnType<typeof openSandboxMedia> | undefined;
  beforeEach(freshDatabase);
  afterEach(() => sandbox?.close());
  const ids = (index: ReturnType<typeof createJobIndex>) => index.state().entries.map((one) => one.requestId);

  it("reads all jobs, stores them, and opens them after a restart", async () => {
    sandbox = openSandboxMedia({ history: 1300 });
    const index = createJobIndex("account-a");
    await index.fill(sandbox.api);
    expect(index.state()).toMatchObject({ phase: "ready", isComplete: true, isWhole: true, error: undefined });
    expect(index.state().entries).toHaveLength(1300);

    const again = createJobIndex("account-a");
    await until(() => expect(again.state().phase).toBe("ready"));
    expect(ids(again)).toEqual(ids(index));
    expect(again.state().isComplete).toBe(true);

    const other = createJobIndex("account-b");
    await until(() => expect(other.state().phase).toBe("ready"));
    expect(other.state().entries).toHaveLength(0);
  });

  it("reads to the end a list that is read by cursors and tells no times", async () => {
    sandbox = openSandboxMedia({ history: 1300, quirks: ["list-by-cursor", "lean-list", "untimed-records"] });
    const page = await sandbox.api.listJobs({ limit: 100 });
    const index = createJobIndex("account-h");
    index.noteHead(page.jobs, page, 100);
    await index.fill(sandbox.api);
    expect(index.state()).toMatchObject({ isWhole: true, isUntimed: true, error: undefined });
    expect(index.state().entries).toHaveLength(1300);
  });

  it("includes jobs seen before it opens", async () => {
    const index = createJobIndex("account-c");
    index.note([entry(1)]);
    await until(() => expect(index.state().entries).toHaveLength(1));
    expect(index.state().isComplete).toBe(false);
  });

  it("tells why reading ended early, and goes on from there", async () => {
    sandbox = openSandboxMedia({ history: 1300, faults: [{ endpoint: "list", status: 403 }] });
    const index = createJobIndex("account-d");
    await index.fill(sandbox.api);
    expect(index.state().error).toMatchObject({ status: 403 });
    sandbox.sandbox.configure({ faults: [] });
    await index.fill(sandbox.api);
    expect(index.state()).toMatchObject({ error: undefined, isWhole: true });
    expect(index.state().entries).toHaveLength(1300);
  });

  it("asks nothing more where the newest page is the whole list", async () => {
    sandbox = openSandboxMedia({ history: 40 });
    const page = await sandbox.api.listJobs({ limit: 100 });
    const index = createJobIndex("account-e");
    index.noteHead(page.jobs, page, 100);
    await until(() => expect(index.state().isWhole).toBe(true));
    const asked = sandbox.sandbox.inspect().requests.length;
    await index.fill(sandbox.api);
    expect(sandbox.sandbox.inspect().requests).toHaveLength(asked);
  });

  it("stops when it is told to, and goes on when it is wanted again", async () => {
    sandbox = openSandboxMedia({ history: 1300 });
    const { api } = sandbox;
    const index = createJobIndex("account-f");
    let isHeld = true;
    const listJobs: Api["listJobs"] = (params, signal) => {
      if (!isHeld) return api.listJobs(params, signal);
      return Promise.race([never, new Promise<never>((_, reject) => signal?.addEventListener("abort", reject))]);
    };
    const first = index.fill({ ...api, listJobs });
    await until(() => expect(index.state().phase).toBe("reading"));
    index.stop();
    await first;
    expect(index.state()).toMatchObject({ phase: "ready", error: undefined, isComplete: false });
    isHeld = false;
    await index.fill({ ...api, listJobs });
    expect(index.state().isWhole).toBe(true);
  });

  it("asks again for jobs that had no end, and finds what came since", async () => {
    sandbox = openSandboxMedia({ history: 30 });
    const { api } = sandbox;
    const index = createJobIndex("account-g");
    const { requestId } = await api.submit({ model: "halide-video", payload: { prompt: "A fox" } });
    await index.fill(api);
    expect(index.get(requestId)?.status).toBe("queued");
    sandbox.pass(3600);
    for (let made = 0; made < 3; made += 1) await api.submit({ model: "lumen-2", payload: { prompt: `Hen ${made}` } });
    await index.fill(api);
    expect(index.get(requestId)?.status).toBe("success");
    expect(index.state().entries).toHaveLength(34);
  });
});

describe("what this browser knows of jobs in the index", () => {
  beforeEach(freshDatabase);
  const row = newRecord({ requestId: "job-1", origin: "answered", submittedAtMs: 1, priceMicroUsd: 7 });
  const opened = async (accountId: string) => {
    const index = createJobIndex(accountId);
    await until(() => expect(index.state().phase).toBe("ready"));
    return index;
  };

  it("is their price and what was sent, whichever was there first, also after a restart", async () => {
    const sent = { ...row, payload: { prompt: "Hen" } };
    const lean = entry(1, { payload: undefined, lacksOutcome: true });
    const known = { priceMicroUsd: 7, payload: { prompt: "Hen" }, status: "success" };
    const first = await opened("account-own");
    first.note([entry(0), lean]);
    first.noteOwn([sent]);
    expect(first.get("job-1")).toMatchObject(known);
    expect(first.state().entries).toHaveLength(2);

    const second = await opened("account-own-2");
    second.noteOwn([sent]);
    expect(second.state().entries).toEqual([]);
    second.note([lean]);
    expect(second.get("job-1")).toMatchObject(known);
    const restarted = async () => expect((await opened("account-own-2")).get("job-1")).toMatchObject(known);
    await vi.waitFor(restarted);
  });

  it("is the end that it saw, and never that the service has lost a job that its list still has", async () => {
    const index = await opened("account-end");
    index.note([entry(1, { status: "queued" })]);
    index.noteOwn([{ ...row, status: "gone" }]);
    expect(index.get("job-1")?.status).toBe("queued");
    index.noteOwn([{ ...row, status: "failed", failureReason: "Why." }]);
    expect(index.get("job-1")).toMatchObject({ status: "failed", failureReason: "Why." });
  });

  it("is whatever a single record told, also of a job beyond its bound, and with files that came inline", async () => {
    const media = [{ id: "0", kind: "image", url: "data:image/png;base64,AAAA" } as const];
    const index = await opened("account-read");
    index.note([entry(1, { payload: undefined, media: [], lacksOutcome: true })]);
    index.noteRead([entry(1, { media }), entry(90_000, { media })]);
    expect(index.get("job-1")).toMatchObject({ media, payload: { prompt: "Prompt 1" } });
    expect(index.get("job-90000")).toMatchObject({ media });
    // A list that tells less takes nothing away.
    index.note([entry(1, { payload: undefined, media: [], lacksOutcome: true })]);
    expect(index.get("job-1")).toMatchObject({ media, payload: { prompt: "Prompt 1" } });
    index.note([entry(1, { payload: undefined, media: [] })]);
    expect(index.get("job-1")).toMatchObject({ media });
  });

  it("is shown at once while older jobs are read", async () => {
    const index = await opened("account-while");
    index.note([entry(1, { payload: undefined })]);
    const filling = index.fill({ ...openSandboxMedia({}).api, listJobs: () => never });
    await until(() => expect(index.state().phase).toBe("reading"));
    index.noteRead([entry(1)]);
    expect(index.state().entries[0]?.payload).toEqual({ prompt: "Prompt 1" });
    index.noteOwn([{ ...row, requestId: "job-1" }]);
    expect(index.state().entries[0]?.priceMicroUsd).toBe(7);
    index.stop();
    void filling;
  });

  it("is asked of the rows that changed alone", async () => {
    const index = await opened("account-many");
    index.note(many(100));
    let reads = 0;
    const rows = many(100).map((one) => ({
      ...newRecord({ requestId: one.requestId, origin: "answered", submittedAtMs: 1 }),
      get priceMicroUsd() {
        reads += 1;
        return 7;
      },
    }));
    index.noteOwn(rows);
    const first = reads;
    expect(first).toBeGreaterThanOrEqual(100);
    index.noteOwn([
      { ...newRecord({ requestId: "job-0", origin: "answered", submittedAtMs: 1 }), priceMicroUsd: 8 },
      ...rows.slice(1),
    ]);
    expect(reads).toBe(first);
  });
});

describe("a listed job with what this browser's row knows", () => {
  const row = newRecord({ requestId: "job-1", origin: "answered", submittedAtMs: 1, priceMicroUsd: 7 });

  it("keeps the time of the list, and its order where the list tells none", () => {
    const own = { ...row, status: "success", createdAtSeconds: 90 };
    expect(joinRow(own, entry(1, { createdAtSeconds: undefined }))).toMatchObject({ priceMicroUsd: 7 });
    expect(joinRow(own, entry(1, { createdAtSeconds: undefined })).createdAtSeconds).toBeUndefined();
    const late = joinRow({ ...own, createdAtSeconds: undefined }, entry(1, { status: "queued", createdAtSeconds: 90 }));
    expect(late).toMatchObject({ status: "success", createdAtSeconds: 90 });
    expect(joinRow(undefined, row)).toBe(row);
  });
});

describe("the newest jobs of a large account", () => {
  it("are indexed up to a bound, and the rest is left to the service", () => {
    const seen = createSeenJobs([many(3000)]);
    expect(seen.trim(1000)).toEqual(new Set([0, 1, 2]));
    expect(seen.size()).toBe(1000);
    expect(seen.entries().at(-1)?.requestId).toBe("job-999");
    expect(seen.chunk(1)).toEqual([]);
    expect(seen.has("job-1000")).toBe(false);
  });

  it("leave the plan with the second from which all is known", () => {
    const plan = { ...NOTHING_READ, gaps: [{ before: 500, after: undefined }], newestSeconds: 900 };
    expect(reachSeconds(NOTHING_READ)).toBe(Number.POSITIVE_INFINITY);
    expect(reachSeconds(plan)).toBe(500);
    const bounded = planFrom(plan, 500);
    expect([isComplete(bounded), isWhole(bounded), reachSeconds(bounded)]).toEqual([true, false, 500]);
    expect(readPlan(JSON.parse(JSON.stringify(bounded)))).toEqual(bounded);
    // What came since is still read.
    expect(planOfVisit(bounded).gaps).toEqual([{ before: undefined, after: 840 }]);
    expect(reachSeconds(planOfVisit(bounded))).toBe(500);
  });
});
