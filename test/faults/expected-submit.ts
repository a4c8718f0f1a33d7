import { expectedWords } from "./expected-words.ts";
import type { Sort } from "./faults.ts";

/** What a press of Run comes to while a fault lasts, and what is read of it on the screen. */
export interface ExpectedSubmit {
  /** POSTs that start a job. */
  posts: number;
  phase: "accepted" | "rejected" | "not-sent" | "unconfirmed";
  /** Nothing where the job is simply there. */
  notice: string;
}

const AUDITED = "Safelight will check for a duplicate job in 2 minutes.";
const LOOKING =
  "Safelight checks the job list until the job appears, for about 2 min more. Nothing is submitted again. Check again";
const PERHAPS = "You may have been charged.";
const CHARGED = {
  no: "Not charged: the service rejected this job.",
  unknown: "",
  refunded: "Any charge is refunded in full.",
};

function unconfirmed(what: string, charged = PERHAPS): ExpectedSubmit {
  return { posts: 1, phase: "unconfirmed", notice: `Checking whether it was accepted ${what} ${charged} ${LOOKING}` };
}

function rejected(posts: number, sort: Sort): ExpectedSubmit {
  const { title, body, nextStep } = expectedWords("submit", sort);
  // Every provider was tried, so the price was charged and given back.
  const charged = CHARGED[sort === "status 502" ? "refunded" : "no"];
  const action = { "status 401": " Check key", "status 400": "" }[sort as string] ?? " Run again";
  return { posts, phase: "rejected", notice: `${title} ${body} ${charged} ${nextStep} ${AUDITED}${action}` };
}

const notSent = (title: string, body: string): ExpectedSubmit => ({
  posts: 0,
  phase: "not-sent",
  notice: `${title} Not charged: the job was never sent. ${body} Run again`,
});
const accepted = (posts: number): ExpectedSubmit => ({ posts, phase: "accepted", notice: "" });
const answered = (status: number, words: string) =>
  unconfirmed(`The response was ${status}: ${words} It may come from a gateway in front of the service.`);

const MAX_RATE_LIMITED = 6;
const MAX_UNAVAILABLE = 5;

export function expectedSubmit(sort: Sort): ExpectedSubmit {
  switch (sort) {
    case "offline":
      return notSent("You’re offline", "Run again when you’re back online.");
    case "revoked":
      // The list is read before anything is sent.
      return notSent("Couldn’t load the job list", "API key rejected. Check the key and connect again.");
    case "status 408":
      return answered(408, "Request timeout.");
    case "status 421":
      return answered(421, "Misdirected request.");
    case "gateway 500":
      return answered(500, "Internal Server Error.");
    case "gateway 502":
      return answered(502, "Bad Gateway.");
    case "gateway 504":
      return answered(504, "Gateway Time-out.");
    case "other record":
    case "no record":
    case "web page":
    case "too deep":
    case "endless":
      return unconfirmed("The response doesn’t confirm a job.");
    case "status 429":
      return rejected(MAX_RATE_LIMITED, sort);
    case "status 502":
    case "status 503":
      return rejected(MAX_UNAVAILABLE, sort);
    case "status 400":
    case "status 401":
    case "status 403":
    case "status 404":
    case "status 405":
      return rejected(1, sort);
    case "busy once":
      return accepted(2);
    case "hostile":
    case "entries doubled":
    case "delivered twice":
    case "abort":
      return accepted(1);
    case "out of order":
      return accepted(2);
    case "close":
      return accepted(1);
    default:
      return unconfirmed("No response from the service.");
  }
}

/** Two jobs where the network has delivered one POST twice: the second is shown as a possible duplicate. */
export const jobsOf = (sort: Sort) => (sort === "delivered twice" ? 2 : 1);
