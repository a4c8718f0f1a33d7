import type { MediaKind } from "#api/types.ts";
import { isRecord } from "#lib/read.ts";

/** Which part of an earlier job is put into the form. */
const REUSED_PARTS = ["all", "noseed", "prompt", "seed"] as const;
export type ReusedPart = (typeof REUSED_PARTS)[number];

export interface CreateSearch {
  /** The job that the result panel shows. */
  job?: string;
  /** A job whose settings are put into the form, once. */
  from?: string;
  keep?: ReusedPart;
  /** Settings packed into a link (`shared-payload.ts`), put into the form once. */
  p?: string;
  /** The address of a file that is put into a field that takes it, once; with `over`, in the place of that address. */
  put?: string;
  as?: MediaKind;
  over?: string;
}

/** The most that a link may carry, so that mail and chat programs do not cut it. Characters. */
export const LONGEST_P = 6000;

/** The search part of `/create`, validated: what is not understood is left out. */
export function readCreateSearch(raw: unknown): CreateSearch {
  if (!isRecord(raw)) return {};
  const search: CreateSearch = {};
  if (isId(raw.job)) search.job = String(raw.job);
  if (isId(raw.from)) search.from = String(raw.from);
  const keep = REUSED_PARTS.find((word) => word === raw.keep);
  if (keep) search.keep = keep;
  if (typeof raw.p === "string" && raw.p !== "" && raw.p.length <= LONGEST_P) search.p = raw.p;
  if (isAddress(raw.put)) search.put = raw.put;
  const as = FILE_KINDS.find((kind) => kind === raw.as);
  if (as) search.as = as;
  if (isAddress(raw.over)) search.over = raw.over;
  return search;
}

const FILE_KINDS = ["image", "video", "audio"] as const;
const LONGEST_ADDRESS = 4096;

function isAddress(value: unknown): value is string {
  return typeof value === "string" && /^https?:\/\//i.test(value) && value.length <= LONGEST_ADDRESS;
}

// The router parses digits in a query as a number; an id made of digits is still an id.
function isId(value: unknown): value is string | number {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}
