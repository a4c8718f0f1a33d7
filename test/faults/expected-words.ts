import type { Explanation } from "#api/explain-error.ts";
import type { Endpoint } from "./fault-network.ts";
import type { Sort } from "./faults.ts";

/** What a person reads of a failure. */
export interface Words {
  title: string;
  body: string;
  charged: Explanation["charged"];
  nextStep: string;
}

type Endpoints = readonly Endpoint[];
export const TEXTS: Endpoints = ["completions", "responses", "messages"];
/** They name a model, so a 404 is about the model. */
const OF_MODELS: Endpoints = ["estimate", "submit", ...TEXTS];

const WAIT = "Wait a moment, then try again.";
const CONNECTION = "Check your connection, then try again.";
const TWICE = "If you send this again, you may be charged twice.";

const words = (title: string, body: string, nextStep: string, charged: Words["charged"] = "no"): Words => ({
  title,
  body,
  charged,
  nextStep,
});

/** What the page says where no whole answer came. */
function noAnswer(endpoint: Endpoint, isTimeout: boolean): Words {
  const title = isTimeout ? "The service didn’t respond in time" : "No response from the service";
  if (TEXTS.includes(endpoint)) {
    const body = "The request was sent, but the response didn’t arrive in full. The service may have processed it.";
    return words(title, body, TWICE, "unknown");
  }
  if (isTimeout && endpoint !== "signed PUT") {
    return words(title, "It may be busy, or the connection may be slow.", CONNECTION);
  }
  const body = isTimeout
    ? "It may be busy, or the connection may be slow."
    : "The browser gives no reason. The URL may be wrong, the network may be down, or the service may not allow requests from web pages.";
  return words(title, body, CONNECTION);
}

const SAID: Partial<Record<Sort, string>> = {
  "status 400": "The field model is missing.",
  "status 401": "Invalid API key.",
  revoked: "This API key was revoked.",
  "status 403": "This is not yours.",
  "status 404": "There is no such thing.",
  "status 405": "Method not allowed.",
  "status 408": "Request timeout.",
  "status 421": "Misdirected request.",
  "status 429": "Slow down.",
  "busy once": "Slow down.",
  "status 502": "All endpoints failed for this model.",
  "status 503": "Routing is temporarily unavailable.",
  "gateway 500": "Internal Server Error.",
  "gateway 502": "Bad Gateway.",
  "gateway 504": "Gateway Time-out.",
};

function refusal(endpoint: Endpoint, sort: Sort): Words {
  const said = SAID[sort] ?? "";
  const isText = TEXTS.includes(endpoint);
  const isStorage = endpoint === "signed PUT";
  const lead = (text: string) => `${text} The service says: ${said}`;
  switch (sort) {
    case "status 408":
    case "status 421":
      if (isText) return words("Service error during the response", said, TWICE, "unknown");
      return words("Request failed", said, WAIT);
    case "status 429":
    case "busy once":
      return words("Too many requests", lead("Your organization or key has reached its rate limit."), WAIT);
    case "status 502":
      if (isStorage) return words("Service error", said, WAIT);
      return words("All providers of this model failed", said, WAIT);
    case "status 503":
      if (isStorage) return words("Service error", said, WAIT);
      return words(
        "Temporarily unavailable",
        lead("The service can’t check keys or reach its models right now."),
        WAIT,
      );
    case "gateway 500":
    case "gateway 502":
    case "gateway 504":
      if (isText) return words("Service error during the response", said, TWICE, "unknown");
      return words("Service error", said, WAIT);
  }
  if (isStorage && sort !== "revoked") {
    return words(
      "The file host rejected the file",
      lead("An upload URL works for one file type, and only for a short time."),
      "Choose the file again to get a new upload URL.",
    );
  }
  switch (sort) {
    case "status 400":
      return words("Request rejected", said, "Edit the request and try again.");
    case "status 403":
      return words("Access denied", said, "Ask an administrator of your organization for access.");
    case "status 404":
      if (OF_MODELS.includes(endpoint)) return words("Model not found", said, "Choose another model.");
      return words(
        "Not found",
        lead("It doesn’t exist, or it belongs to another key."),
        "Check the ID, and that you are connected with the right key.",
      );
    case "status 405":
      return words(
        "Wrong URL for this request",
        said,
        "Check that the queue URL and the inference URL are not swapped.",
      );
    default:
      return words(
        "API key rejected",
        lead("The API key is missing, invalid or revoked."),
        "Check the key and connect again.",
      );
  }
}

const NO_SUCH: Partial<Record<Endpoint, string>> = {
  models: "The response is not a list of models.",
  "v1/models": "The response is not a list of models.",
  model: "The response is not a model.",
  estimate: "The response contains no readable price.",
  job: "The response has no job ID.",
  list: "The response is not a list of jobs.",
  "upload-url": "The response contains no usable upload URL.",
};

function unreadable(endpoint: Endpoint, sort: Sort): Words {
  const isText = TEXTS.includes(endpoint);
  const title = endpoint === "estimate" ? "Price unknown" : "Unreadable response";
  const nextStep = isText ? TWICE : "Try again. If it happens again, check the URLs in Settings.";
  return words(title, reason(), nextStep, isText ? "unknown" : "no");

  function reason(): string {
    if (sort === "web page") return "The response is not JSON.";
    if (sort === "too deep") return "The response is nested too deeply or too large.";
    if (sort === "endless") return "The response is too large.";
    if (!isText) return NO_SUCH[endpoint] ?? `(add ${endpoint} to NO_SUCH in test/faults/expected-words.ts)`;
    return sort === "no record"
      ? "The response is neither a stream nor JSON."
      : "The response has an unexpected format.";
  }
}

/** The words for a failure at an endpoint of the service; of a file, see `expectedMediaWords`. */
export function expectedWords(endpoint: Endpoint, sort: Sort): Words {
  switch (sort) {
    case "silent":
    case "drip":
    case "freeze":
      return noAnswer(endpoint, true);
    case "web page":
    case "too deep":
    case "endless":
    case "no record":
    case "other record":
      return unreadable(endpoint, sort);
    default:
      return SAID[sort] === undefined ? noAnswer(endpoint, false) : refusal(endpoint, sort);
  }
}

/** Of a file nothing is charged; what is said is a title and a sentence. */
export function expectedMediaWords(sort: Sort): Pick<Words, "title" | "body"> {
  if (sort === "status 401" || sort === "status 403") {
    return {
      title: "Access denied",
      body: "The file host denied access. Reload the job to get a new URL, or ask the administrator of the service.",
    };
  }
  if (sort === "status 429" || sort === "busy once") {
    return {
      title: "File host is busy",
      body: "The file host received too many requests. Wait a moment, then try again.",
    };
  }
  if (sort === "status 404") {
    return {
      title: "File not found",
      body: "The file host doesn’t have this file. It may have been deleted elsewhere.",
    };
  }
  if (SAID[sort] !== undefined || sort === "cut") {
    return {
      title: "Couldn’t load the file",
      body: "The file host returned an error or stopped in the middle of the file. Try again in a moment.",
    };
  }
  return {
    title: "Couldn’t read the file",
    body: "The file host didn’t respond, or doesn’t allow this page to read the file.",
  };
}
