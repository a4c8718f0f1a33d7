import { describe, expect, it } from "vitest";
import { createJobHistory } from "#sandbox/jobs/job-history.ts";
import { createJobStore } from "#sandbox/jobs/job-store.ts";
import { mediaOf, openSandbox, requestsOf, START_MS } from "./sandbox-client.ts";

describe("seeded history", () => {
  it("is empty unless it is asked for", async () => {
    expect((await openSandbox().queue("GET", "/apikey/requests")).json).toEqual({ requests: [], total: 0 });
  });

  it("holds finished jobs of every type and ending, newest first, with their media", async () => {
    const { queue, job, raw } = openSandbox({ history: 500 });
    const records = requestsOf(await queue("GET", "/apikey/requests?limit=1000"));
    expect(records).toHaveLength(500);
    expect(new Set(records.map((record) => record.status))).toEqual(new Set(["success", "failed", "cancelled"]));
    expect(records.map((record) => record.created_at)).toEqual(
      [...records.map((record) => Number(record.created_at))].sort((a, b) => b - a),
    );
    expect(new Set(records.map((record) => record.request_id)).size).toBe(500);
    for (const record of records.slice(0, 60)) expect((await job(record.request_id)).json).toEqual(record);
    const newest = records.find((record) => record.status === "success");
    const [item] = mediaOf(await job(newest?.request_id));
    expect((await raw("GET", item?.url ?? "")).status).toBe(200);
  });

  // Spec 8.
  it("holds jobs older than the 60 days for which media is stored", async () => {
    const { queue, job, raw } = openSandbox({ history: 1000 });
    const records = requestsOf(await queue("GET", "/apikey/requests?status=success&limit=1000"));
    const [item] = mediaOf(await job(records.at(-1)?.request_id));
    expect((await raw("GET", item?.url ?? "")).status).toBe(404);
  });

  it("belongs to one user, and its media can be deleted", async () => {
    const { queue, job, raw } = openSandbox({ history: 50 });
    expect((await queue("GET", "/apikey/requests", { key: "sandbox-key-2" })).json.total).toBe(0);
    const [newest] = requestsOf(await queue("GET", "/apikey/requests?status=success"));
    const id = String(newest?.request_id);
    const [item] = mediaOf(await job(id));
    expect((await queue("DELETE", `/apikey/requests/${id}/media`)).status).toBe(200);
    expect((await raw("GET", item?.url ?? "")).status).toBe(404);
  });

  it("filters and pages 100,000 jobs", async () => {
    const { queue, submit } = openSandbox({ history: 100_000 });
    const { json } = await submit("lumen-2", { prompt: "A fox" });
    const first = await queue("GET", "/apikey/requests");
    expect(requestsOf(first)[0]?.request_id).toBe(json.request_id);
    expect(first.json.total).toBe(100_001);
    let total = 0;
    for (const status of ["success", "failed", "cancelled", "queued", "success"]) {
      const answer = await queue("GET", `/apikey/requests?status=${status}&limit=100&offset=40`);
      total += Number(answer.json.total);
    }
    expect(total).toBe(100_001 + Number((await queue("GET", "/apikey/requests?status=success")).json.total));
  });

  it("makes only the jobs of the page that is asked for", () => {
    const history = createJobHistory(100_000, 1, START_MS, "user");
    let made = 0;
    const job = (index: number) => {
      made += 1;
      return history.job(index);
    };
    const find = (requestId: string) => {
      made += 1;
      return history.find(requestId);
    };
    const store = createJobStore({ ...history, job, find });
    const { jobs, total } = store.page("user", { statuses: ["success"] }, START_MS, 100, 40);
    expect(jobs).toHaveLength(100);
    expect(total).toBeGreaterThan(50_000);
    expect(made).toBe(100);
  });

  // Spec 4.1: every filter, against the whole list filtered here.
  it("filters as the specification says, at every offset", async () => {
    const { queue } = openSandbox({ history: 3000 });
    const all = [0, 1000, 2000].map((offset) => queue("GET", `/apikey/requests?limit=1000&offset=${offset}`));
    const records = (await Promise.all(all)).flatMap(requestsOf);
    const middle = Number(records[1500]?.created_at);
    const isImage = (model: unknown) => /^(lumen|grainfield|contact)/.test(String(model));
    const cases = [
      ["status=failed,cancelled", (one: Record<string, unknown>) => one.status !== "success"],
      ["model_id=halide-video", (one: Record<string, unknown>) => one.model === "halide-video"],
      [
        "model_type=image&status=failed",
        (one: Record<string, unknown>) => isImage(one.model) && one.status === "failed",
      ],
      [`created_after=${middle}`, (one: Record<string, unknown>) => Number(one.created_at) > middle],
      [
        `created_before=${middle}&model_id=lumen-2`,
        (one: Record<string, unknown>) => Number(one.created_at) < middle && one.model === "lumen-2",
      ],
      ["status=running", () => false],
    ] as const;
    for (const [query, fits] of cases) {
      const wanted = records.filter(fits).map((record) => record.request_id);
      for (const offset of [0, 1, 37, wanted.length - 3, wanted.length + 5]) {
        const answer = await queue("GET", `/apikey/requests?${query}&limit=20&offset=${Math.max(0, offset)}`);
        expect(answer.json.total).toBe(wanted.length);
        expect(requestsOf(answer).map((record) => record.request_id)).toEqual(
          wanted.slice(Math.max(0, offset), Math.max(0, offset) + 20),
        );
      }
    }
  });

  it("holds a million jobs, to the oldest", async () => {
    const { queue, job } = openSandbox({ history: 1_000_000 });
    const last = await queue("GET", "/apikey/requests?limit=2&offset=999998");
    expect(last.json.total).toBe(1_000_000);
    const [one] = requestsOf(last);
    expect((await job(one?.request_id)).json).toEqual(one);
    const totals: number[] = [];
    for (const status of ["success", "failed", "cancelled"]) {
      totals.push(Number((await queue("GET", `/apikey/requests?status=${status}&limit=1`)).json.total));
    }
    expect(totals.reduce((sum, total) => sum + total)).toBe(1_000_000);
  });

  it("does not answer an id whose end was guessed", async () => {
    const { queue, job } = openSandbox({ history: 10 });
    const [newest] = requestsOf(await queue("GET", "/apikey/requests"));
    const id = String(newest?.request_id);
    expect((await job(`${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`)).status).toBe(404);
  });
});
