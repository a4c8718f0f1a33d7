import type { Quirk } from "./quirk.ts";

/** Changes the list in its usual envelope; one that another quirk has put elsewhere is left alone. */
const listAs = (change: (requests: unknown[], total: unknown) => unknown): NonNullable<Quirk["json"]> => ({
  routes: ["list"],
  change: (body) => (Array.isArray(body.requests) ? change(body.requests, body.total) : body),
});

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
    name: "list-null",
    explanation: "An empty list is requests: null.",
    json: listAs((requests, total) => ({ requests: requests.length === 0 ? null : requests, total })),
  },
  {
    name: "list-without-total",
    explanation: "The list tells no total.",
    json: listAs((requests) => ({ requests })),
  },
  {
    name: "total-of-page",
    explanation: "The total counts the jobs of the page only.",
    json: listAs((requests) => ({ requests, total: requests.length })),
  },
  {
    name: "list-as-data",
    explanation: "The list comes as data, with its total in count.",
    json: listAs((data, count) => ({ object: "list", data, count })),
  },
  {
    name: "list-as-items",
    explanation: "The list comes as items.",
    json: listAs((items) => ({ items })),
  },
  {
    name: "list-bare",
    explanation: "The list is a bare array.",
    json: listAs((requests) => requests),
  },
];
