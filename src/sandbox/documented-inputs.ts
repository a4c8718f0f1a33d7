/** Where a documented input is written. */
type InputPlace = "prompt" | "media address" | "model" | "key" | "header";

interface DocumentedInput {
  input: string;
  place: InputPlace;
  /** What it brings about, in one sentence for the studio's sandbox help. */
  effect: string;
}

/**
 * Everything a person or a test can type to provoke a failure. Words count anywhere in the text;
 * `error:` works in a prompt and equally in a model id, a job id or a filter of the list.
 */
export const DOCUMENTED_INPUTS: readonly DocumentedInput[] = [
  {
    input: "fail:moderation",
    place: "prompt",
    effect: "The job ends in failed by a safety filter; the charge is refunded.",
  },
  {
    input: "fail:provider",
    place: "prompt",
    effect: "The job ends in failed by the provider; the charge is refunded.",
  },
  {
    input: "fail:rate-limit",
    place: "prompt",
    effect: "The job ends in failed by a provider's rate limit; the charge is refunded.",
  },
  {
    input: "reject:moderation",
    place: "prompt",
    effect: "The submit is rejected with 400; the charge is refunded and no job exists.",
  },
  {
    input: "cancel:operator",
    place: "prompt",
    effect: "The job ends in cancelled. It is not refunded, because the specification does not say so.",
  },
  { input: "stuck:hour", place: "prompt", effect: "The job stays queued for an hour at 1×." },
  {
    input: "lose:reply",
    place: "prompt",
    effect: "The job is created and charged, and the connection breaks before the answer.",
  },
  {
    input: "lose:request",
    place: "prompt",
    effect: "The connection breaks before the submit arrives; no job, no charge.",
  },
  {
    input: "gateway:after",
    place: "prompt",
    effect: "The job is created and charged, and a gateway answers 502 with JSON of its own instead.",
  },
  {
    input: "gateway:before",
    place: "prompt",
    effect: "A gateway answers 502 with JSON of its own before the submit arrives; no job, no charge.",
  },
  {
    input: "error:429",
    place: "prompt",
    effect: "The submit answers 429. Also 400, 401, 402, 403, 404, 500, 502, 503.",
  },
  {
    input: "error:429x2",
    place: "prompt",
    effect: "The submit answers 429 twice, then it works. Any status and count.",
  },
  {
    input: "error:provider",
    place: "prompt",
    effect: "The submit answers with a provider's own error, passed through.",
  },
  {
    input: "estimate-error:503x2",
    place: "prompt",
    effect: "The estimate answers 503 twice, then it works. Any status; without x it never works.",
  },
  {
    input: "poll-error:502x2",
    place: "prompt",
    effect: "Reading the job answers 502 twice, then it works. Any status; without x it never works.",
  },
  {
    input: "stream-error",
    place: "prompt",
    effect: "A streamed text answer ends in the middle with an error; one not streamed answers 502.",
  },
  {
    input: "stream-break",
    place: "prompt",
    effect: "The connection breaks in the middle of a streamed text answer; one not streamed answers 502.",
  },
  {
    input: "long:5000",
    place: "prompt",
    effect: "The text answer is about 5,000 tokens long. Any number up to 100,000.",
  },
  { input: "tps:2000", place: "prompt", effect: "The text answer comes at 2,000 tokens a second. Any number from 1." },
  {
    input: "propose:runs",
    place: "prompt",
    effect: "The text answer proposes six runs in a block, which Batch can open.",
  },
  {
    input: "propose:tool",
    place: "prompt",
    effect: "The text answer proposes them as the call of a tool; completions have none and get the block.",
  },
  {
    input: "host-refused",
    place: "media address",
    effect: "The host refuses the fetch: the job ends in failed and is refunded.",
  },
  { input: "dead-pixel", place: "model", effect: "Every job of this model fails and is refunded." },
  { input: "lumen-1", place: "model", effect: "The model is listed and temporarily inactive: its submit answers 404." },
  { input: "halide-longtake", place: "model", effect: "Every job takes ten minutes at 1×." },
  {
    input: "lumen-2@vip",
    place: "model",
    effect: "Asks for a resource-group pool by a suffix: 403. The pool @standard is allowed.",
  },
  { input: "X-Resource-Group: vip", place: "header", effect: "Asks for a resource-group pool by a header: 403." },
  { input: "revoked-key", place: "key", effect: "Every request answers 401." },
  {
    input: "auth-down-key",
    place: "key",
    effect: "Every request answers 503: authentication is temporarily unavailable.",
  },
  {
    input: "sandbox-key-2",
    place: "key",
    effect: "Another user of the same organisation: the same balance, another job list.",
  },
  {
    input: "sandbox-key-other-organisation",
    place: "key",
    effect: "A user of another organisation, with a balance of its own.",
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
