import { describe, expect, it } from "vitest";
import { errorOf, openSandbox, requestsOf } from "./sandbox-client.ts";

async function threeJobs() {
  const client = openSandbox();
  const ids: unknown[] = [];
  for (const [model, prompt] of [
    ["lumen-2", "First"],
    ["halide-video", "Second"],
    ["lumen-2", "Third, fail:provider"],
  ] as const) {
    ids.push((await client.submit(model, { prompt })).json.request_id);
    client.pass(10);
  }
  const list = async (query: string) => {
    const answer = await client.queue("GET", `/apikey/requests${query}`);
    return requestsOf(answer).map((record) => ids.indexOf(record.request_id) + 1);
  };
  return { ...client, list, ids, startSeconds: Date.UTC(2026, 4, 1, 12) / 1000 };
}

// Spec 4.1.
describe("GET /apikey/requests", () => {
  it("answers whole records, newest first", async () => {
    const { queue, list, job, ids } = await threeJobs();
    expect(await list("")).toEqual([3, 2, 1]);
    const answer = await queue("GET", "/apikey/requests");
    expect(requestsOf(answer)[2]).toEqual((await job(ids[0])).json);
    expect(answer.json.total).toBe(3);
  });

  it("model_id filters by model", async () => {
    const { list } = await threeJobs();
    expect(await list("?model_id=lumen-2")).toEqual([3, 1]);
    expect(await list("?model_id=lumen")).toEqual([]);
  });

  it("model_type is a comma-separated list, for example image,video", async () => {
    const { list } = await threeJobs();
    expect(await list("?model_type=video")).toEqual([2]);
    expect(await list("?model_type=image,video")).toEqual([3, 2, 1]);
    expect(await list("?model_type=audio")).toEqual([]);
  });

  it("status is a comma-separated list, for example success,failed", async () => {
    const { list, pass } = await threeJobs();
    expect(await list("?status=success,failed")).toEqual([3, 1]);
    expect(await list("?status=queued")).toEqual([2]);
    pass(300);
    expect(await list("?status=queued")).toEqual([]);
    expect(await list("?status=success")).toEqual([2, 1]);
  });

  it("created_after and created_before are unix seconds", async () => {
    const { list, startSeconds } = await threeJobs();
    expect(await list(`?created_after=${startSeconds}`)).toEqual([3, 2]);
    expect(await list(`?created_before=${startSeconds + 20}`)).toEqual([2, 1]);
    expect(await list(`?created_after=${startSeconds}&created_before=${startSeconds + 20}`)).toEqual([2]);
  });

  it("filters work together, and the total counts what matches", async () => {
    const { queue, list } = await threeJobs();
    expect(await list("?model_id=lumen-2&status=failed&model_type=image")).toEqual([3]);
    expect((await queue("GET", "/apikey/requests?model_id=lumen-2&limit=1")).json.total).toBe(2);
  });

  it("limit and offset read all pages without a gap or a repeat", async () => {
    const { list } = await threeJobs();
    expect(await list("?limit=2")).toEqual([3, 2]);
    expect(await list("?limit=2&offset=2")).toEqual([1]);
    expect(await list("?limit=2&offset=3")).toEqual([]);
  });

  // Spec 8.
  it("limit is 20 by default and 1000 at most", async () => {
    const { queue } = openSandbox({ history: 1500 });
    expect(requestsOf(await queue("GET", "/apikey/requests"))).toHaveLength(20);
    expect(requestsOf(await queue("GET", "/apikey/requests?limit=1000"))).toHaveLength(1000);
    const refused = await queue("GET", "/apikey/requests?limit=1001");
    expect(refused.status).toBe(400);
    expect(errorOf(refused).message).toContain("limit");
  });

  it.each(["limit=0", "limit=many", "limit=2.5", "offset=-1", "created_after=yesterday", "created_before=1e9"])(
    "refuses %s with 400 that names the parameter",
    async (query) => {
      const answer = await openSandbox().queue("GET", `/apikey/requests?${query}`);
      expect(answer.status).toBe(400);
      expect(errorOf(answer).message).toContain(query.split("=")[0]);
    },
  );

  it("treats empty parameters as missing", async () => {
    const { list } = await threeJobs();
    expect(await list("?model_id=&status=&model_type=&limit=&offset=&created_after=")).toEqual([3, 2, 1]);
  });

  // Spec 4.1 rule 1.
  it("holds the jobs of the key's user only, not those of colleagues", async () => {
    const { submit, queue, job, sandbox } = openSandbox();
    const ada = await submit("lumen-2", { prompt: "Ada's" });
    const ben = await submit("lumen-2", { prompt: "Ben's" }, { key: "sandbox-key-2" });
    const list = async (key: string) =>
      requestsOf(await queue("GET", "/apikey/requests", { key })).map((record) => record.request_id);
    expect(await list("sandbox-key")).toEqual([ada.json.request_id]);
    expect(await list("sandbox-key-2")).toEqual([ben.json.request_id]);
    expect((await job(ben.json.request_id)).status).toBe(404);
    expect(sandbox.inspect().balances).toEqual({ "org-safelight": 1_000_000_000 - 70_000 });
  });
});
