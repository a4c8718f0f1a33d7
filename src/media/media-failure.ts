import { daysLeft } from "./retention.ts";

/** Why a page could not get a file. Each reason has its own text on the screen. */
export type MediaFailure =
  /** 404 or 410, and older than the 60 days of spec 8. */
  | "expired"
  /** Its media were deleted on request (spec 4.1). */
  | "deleted"
  /** The service was asked to delete it and has not answered yet. */
  | "deleting"
  /** The service was asked to delete it, and no answer came. */
  | "unconfirmed"
  /** 404 or 410, and no reason is known. */
  | "gone"
  /** The signature in its address has expired. */
  | "lapsed"
  /** The storage answered 401 or 403. */
  | "refused"
  /** 429, or a storage that asks for fewer requests. */
  | "busy"
  /** The studio's own host may not go to this storage. */
  | "unlisted"
  /** The storage sent the studio's own host elsewhere, and the host does not follow. */
  | "redirected"
  /** It cannot be read by this page, though it may open in a tab of its own: no CORS header, or no answer at all. */
  | "unreadable"
  /** The storage answered with an error that says nothing about the file, or broke off in the middle of it. */
  | "failed"
  /** A file of no bytes. */
  | "empty"
  /** A web page came in its place. */
  | "page"
  /** The bytes came and are not of the expected kind. */
  | "broken"
  /** It is larger than a page can load. */
  | "large"
  /** Its address is one inside a storage, such as `s3://`. */
  | "internal"
  /** A page may not load its address. */
  | "unsafe"
  /** The build names its service's hosts, and this is not among them: the page's content policy bars it. */
  | "unnamed";

/**
 * A file that could not be fetched, with the reason, the status where there was one, and `said`: the storage's own
 * code, or the sentence of the studio's host. `cause`: the `ApiError` of the response or of its absence, for the retry
 * policy.
 */
export class MediaError extends Error {
  readonly failure: MediaFailure;
  readonly status: number | undefined;
  readonly said: string | undefined;

  constructor(failure: MediaFailure, status?: number, { said, ...options }: ErrorOptions & { said?: string } = {}) {
    super(`media ${failure}`, options);
    this.name = "MediaError";
    this.failure = failure;
    this.status = status;
    this.said = said;
  }
}

/**
 * The failure of a file by the storage's answer, or "expired" where the job is so old that this explains it.
 */
export function failureWithAge(
  found: MediaFailure,
  { createdAtSeconds, nowMs }: { createdAtSeconds: number | undefined; nowMs: number },
): MediaFailure {
  const isOver = (daysLeft(createdAtSeconds, nowMs) ?? 1) <= 0;
  return isOver && (found === "gone" || found === "refused" || found === "lapsed") ? "expired" : found;
}

/** What stays when the files of a job are deleted. */
export const STAYS_AFTER_DELETION = "The job and its charge stay.";

/** What is shown in place of a file that is not there: a few words, and a sentence with what can be done. */
export const FAILURE_WORDS: Record<MediaFailure, { title: string; body: string }> = {
  expired: { title: "Expired", body: "The service deletes files after 60 days. The job stays." },
  deleted: { title: "Files deleted", body: `The files were deleted on request. ${STAYS_AFTER_DELETION}` },
  deleting: { title: "Being deleted", body: "The service was asked to delete this file." },
  unconfirmed: {
    title: "Deletion not confirmed",
    body: "The service may not have deleted this file. Delete the files again to be sure.",
  },
  gone: { title: "File not found", body: "The file host doesn’t have this file. It may have been deleted elsewhere." },
  lapsed: {
    title: "URL expired",
    body: "The signed URL of this file has expired. Reload the job to get a new one.",
  },
  refused: {
    title: "Access denied",
    body: "The file host denied access. Reload the job to get a new URL, or ask the administrator of the service.",
  },
  busy: {
    title: "File host is busy",
    body: "The file host received too many requests. Wait a moment, then try again.",
  },
  unlisted: {
    title: "File host not allowed",
    body: "The Safelight server may not load files from this host. Your administrator can add it to SAFELIGHT_UPSTREAMS.",
  },
  redirected: {
    title: "Redirect not followed",
    body: "The file host redirects to a URL that the Safelight server may not load. Your administrator can add it to SAFELIGHT_UPSTREAMS.",
  },
  unreadable: {
    title: "Couldn’t read the file",
    body: "The file host didn’t respond, or doesn’t allow this page to read the file.",
  },
  failed: {
    title: "Couldn’t load the file",
    body: "The file host returned an error or stopped in the middle of the file. Try again in a moment.",
  },
  empty: { title: "Empty file", body: "The file host sent an empty file. Reload the job, or run it again." },
  page: {
    title: "A web page, not the file",
    body: "The file host sent a web page instead of the file, such as a sign-in page. Open it in a new tab to see it.",
  },
  broken: {
    title: "Can’t be shown",
    body: "This browser can’t show this file. Try downloading it.",
  },
  large: {
    title: "Too large for this page",
    body: "The browser has too little memory for this file. Open it in a new tab and save it from there.",
  },
  internal: {
    title: "Unsupported file URL",
    body: "This file’s URL can’t be opened in a browser.",
  },
  unsafe: { title: "Not loaded", body: "This file’s URL isn’t safe to load." },
  unnamed: {
    title: "File host not allowed in this build",
    body: "SAFELIGHT_SERVICE did not name this file’s host when Safelight was built, so the page may not load it.",
  },
};

/** Whether asking again may help. */
export function canRetry(failure: MediaFailure): boolean {
  return !["expired", "deleted", "deleting", "unconfirmed", "internal", "unsafe", "unnamed", "large"].includes(failure);
}

/** Whether a tab of its own may have what this page may not. */
export function mayOpen(failure: MediaFailure): boolean {
  return ["unreadable", "unlisted", "redirected", "refused", "broken", "page", "large", "unnamed"].includes(failure);
}
