/** Where a documented input is written. */
type InputPlace = "prompt" | "media URL" | "model" | "key" | "header";

interface DocumentedInput {
  input: string;
  place: InputPlace;
  /** What it brings about, for the sandbox help in Settings. */
  effect: string;
}

/**
 * Everything a person or a test can type to provoke a failure. Words count anywhere in the text;
 * `error:` works in a prompt and equally in a model ID, a job ID or a filter of the list.
 */
export const DOCUMENTED_INPUTS: readonly DocumentedInput[] = [
  {
    input: "fail:moderation",
    place: "prompt",
    effect: "A safety filter stops the job, and it fails. Refunded in full.",
  },
  {
    input: "fail:provider",
    place: "prompt",
    effect: "The job fails at the provider. Refunded in full.",
  },
  {
    input: "fail:rate-limit",
    place: "prompt",
    effect: "The job fails on a provider’s rate limit. Refunded in full.",
  },
  {
    input: "reject:moderation",
    place: "prompt",
    effect: "The submit is rejected with 400. No job is created, and nothing stays charged.",
  },
  {
    input: "cancel:operator",
    place: "prompt",
    effect: "The job ends as cancelled. It stays charged, because the specification promises no refund.",
  },
  { input: "stuck:hour", place: "prompt", effect: "The job stays queued for 1 hour at 1×." },
  {
    input: "lose:reply",
    place: "prompt",
    effect: "The job is created and charged, but the connection breaks before the response.",
  },
  {
    input: "lose:request",
    place: "prompt",
    effect: "The connection breaks before the submit arrives. No job, no charge.",
  },
  {
    input: "gateway:after",
    place: "prompt",
    effect: "The job is created and charged, but a gateway returns 502 with its own JSON.",
  },
  {
    input: "gateway:before",
    place: "prompt",
    effect: "A gateway returns 502 with its own JSON before the submit arrives. No job, no charge.",
  },
  {
    input: "error:429",
    place: "prompt",
    effect: "The submit returns 429. Also 400, 401, 402, 403, 404, 500, 502, 503.",
  },
  {
    input: "error:429x2",
    place: "prompt",
    effect: "The submit returns 429 twice, then works. Any status and count.",
  },
  {
    input: "error:provider",
    place: "prompt",
    effect: "The submit returns a provider’s own error.",
  },
  {
    input: "estimate-error:503x2",
    place: "prompt",
    effect: "The estimate returns 503 twice, then works. Any status. Without x2, it always fails.",
  },
  {
    input: "poll-error:502x2",
    place: "prompt",
    effect: "Reading the job returns 502 twice, then works. Any status. Without x2, it always fails.",
  },
  {
    input: "stream-error",
    place: "prompt",
    effect: "A streamed text response ends in the middle with an error. Without streaming, it is a 502.",
  },
  {
    input: "stream-break",
    place: "prompt",
    effect: "The connection breaks in the middle of a streamed text response. Without streaming, it is a 502.",
  },
  {
    input: "long:5000",
    place: "prompt",
    effect: "The text response has about 5,000 tokens. Any number up to 100,000.",
  },
  {
    input: "tps:2000",
    place: "prompt",
    effect: "The text response arrives at 2,000 tokens per second. Any number from 1.",
  },
  {
    input: "propose:runs",
    place: "prompt",
    effect: "The text response proposes 6 runs in a block that Batch can open.",
  },
  {
    input: "propose:tool",
    place: "prompt",
    effect: "The text response proposes 6 runs as a tool call. Completions have no tools and get the block.",
  },
  {
    input: "host-refused",
    place: "media URL",
    effect: "The host blocks the download and the job fails. Refunded in full.",
  },
  { input: "dead-pixel", place: "model", effect: "Every job of this model fails. Refunded in full." },
  { input: "lumen-1", place: "model", effect: "Listed but temporarily inactive: the submit returns 404." },
  { input: "halide-longtake", place: "model", effect: "Every job takes 10 minutes at 1×." },
  {
    input: "lumen-2@vip",
    place: "model",
    effect: "Selects a resource pool with a suffix: 403. The pool @standard is allowed.",
  },
  { input: "X-Resource-Group: vip", place: "header", effect: "Selects a resource pool with a header: 403." },
  { input: "revoked-key", place: "key", effect: "Every request returns 401." },
  {
    input: "auth-down-key",
    place: "key",
    effect: "Every request returns 503: authentication is temporarily unavailable.",
  },
  {
    input: "sandbox-key-2",
    place: "key",
    effect: "Another user of the same organization: same balance, separate job list.",
  },
  {
    input: "sandbox-key-other-organisation",
    place: "key",
    effect: "A user of another organization, with its own balance.",
  },
];

/** Reasons of jobs that end in failed, by their word in the prompt. */
export const FAIL_REASONS: Readonly<Record<string, string>> = {
  "fail:moderation": "The safety filter stopped this generation.",
  "fail:provider": "The provider could not finish this generation.",
  "fail:rate-limit": "Generation failed: rate limit exceeded (RPM).",
};

/** An error asked for: how, and how often before it works; `times` undefined means always. */
export interface AskedError {
  word: string;
  status: number | "provider";
  times: number | undefined;
}

/** Finds `error:503x2` and the like; `prefix` is `error`, `estimate-error` or `poll-error`. */
export function readAskedError(prefix: string, text: string): AskedError | undefined {
  const found = new RegExp(`(?<![\\w-])${prefix}:(?:(provider)|([45]\\d\\d))(?:x(\\d+))?`).exec(text);
  if (found === null) return undefined;
  const [word, provider, status, times] = found;
  return {
    word,
    status: provider === undefined ? Number(status) : "provider",
    times: times === undefined ? undefined : Number(times),
  };
}

/** Every text within a JSON value, joined, for looking for documented words. */
export function textsWithin(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(textsWithin).join("\n");
}
