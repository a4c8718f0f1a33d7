import { describe, expect, it } from "vitest";
import { UnreadableAnswerError } from "#api/api-error.ts";
import { readJobPage } from "#api/job-list.ts";
import fc from "../setup/fc.ts";

const a = { request_id: "a", model: "m", status: "queued" };
const b = { ...a, request_id: "b" };
const ids = (raw: unknown) => readJobPage(raw).jobs.map(({ requestId }) => requestId);

// Spec 4.1 rule 5: body not shown.
describe("the job list", () => {
  it.each([
    { requests: [a, b] },
    { data: [a, b] },
    { results: [a, b] },
    { records: [a, b] },
    { history: [a, b] },
    { data: { requests: [a, b] } },
    { result: { items: [a, b] } },
    { _embedded: { jobs: [a, b] } },
    { data: { data: { list: [a, b] } } },
    { requests: { a: { model: "m", status: "queued" }, b: { model: "m", status: "failed" } } },
    { requests: { x: a, y: b } },
    { edges: [{ node: a }, { node: b }] },
    { requests: [{ job: a }, { job: b }] },
    { requests: [{ data: { id: "a", attributes: { status: "queued" } } }, b] },
    { Requests: [{ requestId: "a" }, { requestId: "b" }] },
    { whatever: [a, b] },
  ])("is found in %j", (raw) => {
    expect(ids(raw)).toEqual(["a", "b"]);
  });

  it.each([
    { data: { requests: null } },
    { data: { items: [] } },
    { result: { total: 0, list: null } },
    { jobs: [], meta: { total: 0 } },
  ])("may be empty: %j", (raw) => expect(ids(raw)).toEqual([]));

  it.each([
    { data: [{ id: "quill-2", object: "model" }] },
    { items: [{ name: "Hotel" }] },
    { results: ["a", "b"] },
    { data: { user: "ada" } },
    { data: { message: "Welcome" } },
    { status: "ok", version: 3 },
    [{ id: 1, title: "A page" }],
    "<html></html>",
  ])("is never 'no jobs' for another server's %j", (raw) => {
    expect(() => readJobPage(raw)).toThrow(UnreadableAnswerError);
  });

  it.each([
    [{ total: 41 }],
    [{ total_count: 41 }],
    [{ totalCount: "41" }],
    [{ count: 41 }],
    [{ meta: { total: 41 } }],
    [{ pagination: { total_items: 41 } }],
    [{ page: { totalElements: 41 } }],
  ])("has its total from %j", (about) => {
    expect(readJobPage({ requests: [a], ...about }).total).toBe(41);
  });

  it("takes no count for a total that may be that of the page", () => {
    expect(readJobPage({ requests: [a], count: 1 }).total).toBeUndefined();
  });

  it.each([
    [{ has_more: true }, { hasMore: true }],
    [{ hasMore: false }, { hasMore: false }],
    [{ pagination: { has_next: true } }, { hasMore: true }],
    [{ is_last: true }, { hasMore: false }],
    [{ next_cursor: null }, { hasMore: false }],
    [{ next: null }, { hasMore: false }],
    [{ next_cursor: "abc" }, { next: { cursor: "abc" } }],
    [{ nextPageToken: "abc" }, { next: { pageToken: "abc" } }],
    [{ next_page_token: "abc" }, { next: { page_token: "abc" } }],
    [{ cursors: { next: "abc" } }, { next: { cursor: "abc" } }],
    [{ paging: { cursors: { after: "abc" } } }, { next: { after: "abc" } }],
    [{ page_info: { end_cursor: "abc", has_next_page: true } }, { next: { after: "abc" }, hasMore: true }],
    [{ pageInfo: { endCursor: "abc", hasNextPage: false } }, { hasMore: false }],
    [{ next_offset: 20 }, { next: { offset: "20" } }],
    [{ next_page: 2 }, { next: { page: "2" } }],
    [{ links: { next: "https://queue.example/apikey/requests?limit=20&cursor=abc" } }, { next: { cursor: "abc" } }],
    [{ next: "/apikey/requests?page=2&limit=20" }, { next: { page: "2" } }],
    [
      { has_more: true, last_id: "a" },
      { hasMore: true, next: { after: "a" } },
    ],
  ])("says where it goes on: %j", (about, expected) => {
    const { jobs: _, total: __, ...rest } = readJobPage({ requests: [a], ...about });
    expect(rest).toEqual(expected);
  });

  it("never goes on with other parameters than a query can hold", () => {
    const next = "https://elsewhere.example/x?status=failed&limit=9&a%20b=1&__proto__=2&cursor=c";
    expect(readJobPage({ requests: [a], next }).next).toEqual({ cursor: "c" });
    expect(readJobPage({ requests: [a], next_cursor: "x".repeat(10_000) }).next).toBeUndefined();
  });

  it("is a page or the typed error for any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("requests", "data", "next", "meta"), (value, key) => {
        for (const raw of [value, { [key]: value }, { requests: [a], [key]: value }]) {
          try {
            for (const job of readJobPage(raw).jobs) expect(job.requestId).not.toBe("");
          } catch (error) {
            expect(error).toBeInstanceOf(UnreadableAnswerError);
          }
        }
      }),
    );
  });
});
