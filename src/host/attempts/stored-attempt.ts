// How an attempt is written down, in both stores: a line of words, and beside it the answer, which may be dropped.
import { type Attempt, type AttemptState, type StoredAnswer, StoreUnavailable } from "./attempt-store.ts";

interface Written {
  /** `owner run kind fingerprint`. */
  line: string;
  /** The answer's head as JSON, a line break, its body. */
  answer: Buffer | undefined;
}

export function writeAttempt({ fingerprint, owner, run, state }: Attempt): Written {
  return {
    line: `${actPrefix({ owner, run })}${state.kind} ${fingerprint}`,
    answer: state.kind === "answered" ? writeAnswer(state.answer) : undefined,
  };
}

/** How the line of an act begins, and no other act's does. */
export function actPrefix({ owner, run }: Pick<Attempt, "owner" | "run">): string {
  return `${owner} ${run} `;
}

/** An answer that was dropped for space makes the attempt `unknown`. Throws a StoreUnavailable for any other text. */
export function readAttempt(line: string, answer: Buffer | undefined): Attempt {
  const found = /^(\S+) (\d+) (sent|answered|unknown|withdrawn) (\S*)/.exec(line);
  if (!found) throw unreadable();
  const [, owner = "", run, kind, fingerprint = ""] = found;
  return { owner, run: Number(run), fingerprint, state: readState(kind as AttemptState["kind"], answer) };
}

function readState(kind: AttemptState["kind"], answer: Buffer | undefined): AttemptState {
  if (kind !== "answered") return { kind };
  return answer ? { kind, answer: readAnswer(answer) } : { kind: "unknown" };
}

function writeAnswer({ body, ...head }: StoredAnswer): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
}

function readAnswer(bytes: Buffer): StoredAnswer {
  const end = bytes.indexOf("\n");
  try {
    const { status, headers } = JSON.parse(bytes.subarray(0, end).toString()) as StoredAnswer;
    return { status, headers, body: Buffer.from(bytes.subarray(end + 1)) };
  } catch {
    throw unreadable();
  }
}

const unreadable = () => new StoreUnavailable("The Safelight server cannot read its own records.");
