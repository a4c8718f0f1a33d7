import type { JsonRecord } from "#lib/read.ts";
import type { Quirk } from "./quirk.ts";

type ChangeList = (requests: unknown[], total: unknown, rest: JsonRecord) => unknown;

/** Changes the list in its usual envelope; one that another quirk has put elsewhere is left alone. */
const listAs = (change: ChangeList): NonNullable<Quirk["json"]> => ({
  routes: ["list"],
  change: ({ requests, total, ...rest }) =>
    Array.isArray(requests) ? change(requests, total, rest) : { ...rest, requests, total },
});

/** The place after a page: how many jobs stand before it. Undefined for the last page. */
function placeAfter(url: URL, listed: number, total: unknown): number | undefined {
  const after = Number(url.searchParams.get("offset") ?? 0) + listed;
  return typeof total === "number" && after < total ? after : undefined;
}

/** How the list of jobs comes: its envelope, its total, its offset. */
export const LIST_QUIRKS: readonly Quirk[] = [
  {
    name: "offset-in-pages",
    explanation: "The list counts its offset in pages instead of jobs.",
    request(url) {
      const offset = url.searchParams.get("offset");
      if (offset !== null && /\/requests$/.test(url.pathname)) {
        url.searchParams.set("offset", String(Number(offset) * Number(url.searchParams.get("limit") ?? 20)));
      }
      return undefined;
    },
  },
  {
    name: "list-by-cursor",
    explanation: "The list has no offset: each page names the next one in next_cursor.",
    request(url, _, method) {
      if (method !== "GET" || !/\/requests$/.test(url.pathname)) return undefined;
      const cursor = /^after-(\d+)$/.exec(url.searchParams.get("cursor") ?? "")?.[1];
      url.searchParams.delete("offset");
      if (cursor !== undefined) url.searchParams.set("offset", cursor);
      return undefined;
    },
    json: {
      routes: ["list"],
      change(body, { exchange }) {
        if (!Array.isArray(body.requests)) return body;
        const after = placeAfter(exchange.url, body.requests.length, body.total);
        return { ...body, next_cursor: after === undefined ? null : `after-${after}` };
      },
    },
  },
  {
    name: "list-with-has-more",
    explanation: "The list has no total, only has_more.",
    json: {
      routes: ["list"],
      change({ total, ...body }, { exchange }) {
        if (!Array.isArray(body.requests) || total === undefined) return { ...body, total };
        return { ...body, has_more: placeAfter(exchange.url, body.requests.length, total) !== undefined };
      },
    },
  },
  {
    name: "list-null",
    explanation: "An empty list is requests: null.",
    json: listAs((requests, total, rest) => ({
      ...rest,
      requests: requests.length === 0 ? null : requests,
      total,
    })),
  },
  {
    name: "list-without-total",
    explanation: "The list has no total.",
    json: listAs((requests, _, rest) => ({ ...rest, requests })),
  },
  {
    name: "total-of-page",
    explanation: "The total counts the jobs of the page only.",
    json: listAs((requests, _, rest) => ({ ...rest, requests, total: requests.length })),
  },
  {
    name: "list-as-data",
    explanation: "The list comes as data, with its total in count.",
    json: listAs((data, count, rest) => ({ ...rest, object: "list", data, count })),
  },
  {
    name: "list-as-items",
    explanation: "The list comes as items.",
    json: listAs((items, _, rest) => ({ ...rest, items })),
  },
  {
    name: "list-enveloped",
    explanation: "The list is in data.records, its total in data.pagination.total_count.",
    json: listAs((records, total_count, rest) => ({
      ...rest,
      success: true,
      data: { records, pagination: { total_count } },
    })),
  },
  {
    name: "list-bare",
    explanation: "The list is a bare array.",
    json: listAs((requests) => requests),
  },
];
