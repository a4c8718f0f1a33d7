import { NoAnswerError, RefusedError, StreamedError, UnreadableAnswerError, UnusableIdError } from "./api-error.ts";
import { explainRefusal } from "./explain-refusal.ts";

/** What the person was doing when it went wrong. */
export type Doing = "read" | "estimate" | "submit" | "upload" | "delete" | "text" | "connect";

export interface Explanation {
  /** What happened, in a few words. */
  title: string;
  /** What happened, in a sentence; the service's own words where it gave some. */
  body: string;
  /** `unknown` where the service may have taken the request without its answer reaching this page. */
  charged: "no" | "unknown" | "refunded";
  /** `charged` as a sentence. */
  chargedText: string;
  /** What to do now. */
  nextStep: string;
  /** Whether the same request may succeed later, so that a "Try again" makes sense. */
  retryable: boolean;
}

const CHARGED_TEXT: Record<Explanation["charged"], string> = {
  no: "Nothing was charged.",
  unknown: "Whether it was charged is not known.",
  refunded: "Any charge is refunded automatically and exactly.",
};

/** Explains any error of a request: what happened, whether anything was charged, what to do. One row each of spec 7. */
export function explainError(error: unknown, doing: Doing): Explanation {
  const explained = explain(error, doing);
  return { ...explained, chargedText: CHARGED_TEXT[explained.charged] };
}

function explain(error: unknown, doing: Doing): Omit<Explanation, "chargedText"> {
  if (error instanceof RefusedError) return explainRefusal(error, doing);
  if (error instanceof NoAnswerError) return explainNoAnswer(error, doing);
  if (error instanceof UnreadableAnswerError) return explainUnreadable(error, doing);
  if (error instanceof StreamedError) {
    return {
      title: "The service ended the answer with an error",
      body: error.message,
      charged: "unknown",
      nextStep: "What came is kept. Send it again if you accept that it may be billed twice.",
      retryable: true,
    };
  }
  if (error instanceof UnusableIdError) {
    const body = `${error.message} No request was made.`;
    return { title: "This id cannot be used", body, charged: "no", nextStep: "Check the id.", retryable: false };
  }
  return {
    title: "Something went wrong in this page",
    body: error instanceof Error && error.message !== "" ? error.message : "No reason was given.",
    charged: doing === "submit" || doing === "text" ? "unknown" : "no",
    nextStep: "Try again. If it comes back, reload the page.",
    retryable: true,
  };
}

const NO_ANSWER_BODY =
  "The browser does not tell why: the address may be wrong, the network may be down, or the service may not admit this page.";

function explainNoAnswer(error: NoAnswerError, doing: Doing): Omit<Explanation, "chargedText"> {
  const title = error.timedOut ? "No answer in time" : "No answer";
  if (doing === "submit") {
    return {
      title,
      body: "The request was sent and no answer came. The service may or may not have started the job.",
      charged: "unknown",
      nextStep: "Look for the job in History before you run it again.",
      retryable: false,
    };
  }
  if (doing === "text") {
    return {
      title,
      body: "The request was sent and no whole answer came. The service may have worked on it.",
      charged: "unknown",
      nextStep: "Send it again if you accept that it may be billed twice.",
      retryable: true,
    };
  }
  const body = error.timedOut ? "The service did not answer in the time this page waits for it." : NO_ANSWER_BODY;
  const nextStep =
    doing === "connect"
      ? "Check the address and your connection, then try again."
      : "Check your connection, then try again.";
  return { title, body, charged: "no", nextStep, retryable: true };
}

function explainUnreadable(error: UnreadableAnswerError, doing: Doing): Omit<Explanation, "chargedText"> {
  const title = doing === "estimate" ? "Price unknown" : "The answer cannot be read";
  if (doing === "submit") {
    return {
      title,
      body: `The service accepted the request, and its answer names no job. ${error.message}`,
      charged: "unknown",
      nextStep: "Look for the job in History before you run it again.",
      retryable: false,
    };
  }
  return {
    title,
    body: error.message,
    charged: doing === "text" ? "unknown" : "no",
    nextStep:
      doing === "connect"
        ? "Check that this is the service's address and not a web page's."
        : "Try again. If it stays, check the addresses in Settings.",
    retryable: true,
  };
}
