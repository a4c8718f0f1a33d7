import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { mediaOf, openSandbox, requestsOf } from "./sandbox-client.ts";
import { FOX, shown } from "./shown.ts";

describe("quirks of where a record puts what it tells", () => {
  const second = Date.UTC(2026, 4, 1, 12) / 1000;
  it.each([
    ["times-microseconds", { created_at: String(second * 1e6) }],
    ["times-iso", { created_at: "2026-05-01 12:00:00" }],
    ["times-camel-case", { createdAt: second, queuedAt: second }],
    ["times-nested", { timestamps: { created: second, queued: second, updated: second } }],
  ] as const)("%s: in single records and in the list", async (name, expected) => {
    const { image, list } = await shown(name);
    expect(image.json).toMatchObject(expected);
    if (name !== "times-microseconds" && name !== "times-iso") expect(image.json).not.toHaveProperty("created_at");
    expect(requestsOf(list).at(-1)).toMatchObject(expected);
  });

  it.each([
    ["failure-nested", (record: JsonRecord) => ((record.outcome as JsonRecord).result as JsonRecord).failure],
    ["failure-in-messages", (record: JsonRecord) => ((record.outcome as JsonRecord).messages as string[])[1]],
    ["failure-in-logs", (record: JsonRecord) => record.logs],
  ] as const)("%s: the reason of the failure is in another field", async (name, reason) => {
    const { failed } = await shown(name);
    expect(failed.json).not.toHaveProperty("error");
    expect(reason(failed.json)).toContain("provider");
  });

  it("statuses-in-other-words: one word for each status of the specification", async () => {
    const { running, done, failed } = await shown("statuses-in-other-words");
    expect([running, done, failed].map(({ json }) => json.status)).toEqual(["IN_PROGRESS", "COMPLETED", "ERROR"]);
  });

  it("lean-list: the list has three fields, the job's own record all of them", async () => {
    const { list, image } = await shown("lean-list");
    for (const record of requestsOf(list)) expect(Object.keys(record)).toEqual(["request_id", "model", "status"]);
    expect(mediaOf(image)).toHaveLength(1);
  });

  it("record-enveloped: a job by itself is data.job, in the list it is not", async () => {
    const { submitted, list } = await shown("record-enveloped");
    expect(submitted.json).toMatchObject({ code: 0, data: { job: { status: "success" } } });
    expect(requestsOf(list).every((record) => "request_id" in record)).toBe(true);
  });

  it("find records where another quirk has put them", async () => {
    const { submit, job } = openSandbox({ quirks: ["outcome-bare-urls", "record-enveloped", "outcome-null"] });
    const { json } = await submit("lumen-2", FOX);
    const record = (body: JsonRecord) => (body.data as JsonRecord).job as JsonRecord;
    const single = await job(record(json).request_id);
    expect((record(single.json).outcome as JsonRecord).media_urls).toEqual([expect.stringMatching(/^http/)]);
  });
});

describe("quirks of lists", () => {
  it("list-lag: a new job can be read at once and is listed later", async () => {
    const { submit, queue, job, pass } = openSandbox({ quirks: ["list-lag"] });
    const { json } = await submit("lumen-2", FOX);
    expect(requestsOf(await queue("GET", "/apikey/requests"))).toEqual([]);
    expect((await job(json.request_id)).status).toBe(200);
    pass(30);
    expect(requestsOf(await queue("GET", "/apikey/requests"))).toHaveLength(1);
  });

  it("offset-in-pages: offset 1 is the second page", async () => {
    const faithful = openSandbox({ history: 30 });
    const odd = openSandbox({ history: 30, quirks: ["offset-in-pages"] });
    const wanted = await faithful.queue("GET", "/apikey/requests?limit=5&offset=10");
    expect((await odd.queue("GET", "/apikey/requests?limit=5&offset=2")).json).toEqual(wanted.json);
    const second = await faithful.queue("GET", "/apikey/requests?offset=20");
    expect((await odd.queue("GET", "/apikey/requests?offset=1")).json).toEqual(second.json);
  });

  it("list-null: only an empty list is null", async () => {
    const { submit, queue } = openSandbox({ quirks: ["list-null"] });
    expect((await queue("GET", "/apikey/requests")).json).toEqual({ requests: null, total: 0 });
    await submit("lumen-2", FOX);
    expect(requestsOf(await queue("GET", "/apikey/requests"))).toHaveLength(1);
  });

  it.each([
    ["list-without-total", (body: JsonRecord) => Object.keys(body), ["requests"]],
    ["total-of-page", (body: JsonRecord) => body.total, 2],
    ["list-as-data", (body: JsonRecord) => [(body.data as unknown[]).length, body.count], [2, 9]],
    ["list-as-items", (body: JsonRecord) => Object.keys(body), ["items"]],
    ["list-bare", (body: JsonRecord) => Array.isArray(body), true],
  ] as const)("%s", async (name, look, expected) => {
    const { queue } = openSandbox({ history: 9, quirks: [name] });
    expect(look((await queue("GET", "/apikey/requests?limit=2")).json)).toEqual(expected);
  });

  it("list-by-cursor: an offset moves nothing, a cursor leads on, the last page names none", async () => {
    const { queue } = openSandbox({ history: 25, quirks: ["list-by-cursor"] });
    const page = async (query: string) => {
      const answer = await queue("GET", `/apikey/requests?limit=10${query}`);
      return { ids: requestsOf(answer).map((record) => record.request_id), next: answer.json.next_cursor };
    };
    const first = await page("");
    expect(await page("&offset=10")).toEqual(first);
    const second = await page(`&cursor=${String(first.next)}`);
    expect(second.ids.filter((id) => first.ids.includes(id))).toEqual([]);
    const third = await page(`&cursor=${String(second.next)}`);
    expect([third.ids.length, third.next]).toEqual([5, null]);
  });

  it("list-with-has-more: no total, and whether more follow", async () => {
    const { queue } = openSandbox({ history: 20, quirks: ["list-with-has-more"] });
    const first = (await queue("GET", "/apikey/requests?limit=10")).json;
    const second = (await queue("GET", "/apikey/requests?limit=10&offset=10")).json;
    expect([first.has_more, second.has_more]).toEqual([true, false]);
    expect(first).not.toHaveProperty("total");
  });

  it("list-enveloped: data.records, and the total beside it", async () => {
    const { queue } = openSandbox({ history: 9, quirks: ["list-enveloped"] });
    const { json } = await queue("GET", "/apikey/requests?limit=2");
    expect(json.data).toMatchObject({ records: [{}, {}], pagination: { total_count: 9 } });
  });

  it("odd-model-ids: are listed, and can be opened and used", async () => {
    const { queue, submit, sandbox } = openSandbox({ quirks: ["odd-model-ids"] });
    const ids = (await queue("GET", "/apikey/models")).json.model_ids as string[];
    for (const id of ids.slice(0, 3)) {
      expect((await queue("GET", `/apikey/models/${encodeURIComponent(id)}`)).json.model).toBe(id);
      expect((await submit(id, FOX)).json.model).toBe(id);
    }
    expect(sandbox.inspect().jobs.map((job) => job.model)).toEqual(ids.slice(0, 3));
  });

  it("duplicate-model-ids: some ids are listed twice", async () => {
    const { queue } = openSandbox({ quirks: ["duplicate-model-ids"] });
    const ids = (await queue("GET", "/apikey/models")).json.model_ids as string[];
    expect(ids.length).toBeGreaterThan(new Set(ids).size);
  });
});
