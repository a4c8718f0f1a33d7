import { createStore } from "zustand/vanilla";
import type { ApiError } from "#api/api-error.ts";
import { REQUEST_CHARGE } from "#api/charge-words.ts";
import type { AnswerPart, TextEvent } from "#api/text/text-types.ts";
import {
  type AnswerFacts,
  type AnswerOutcome,
  type AnswerRun,
  interrupted,
  type LiveAnswer,
  type LivePhase,
  measure,
  NO_FACTS,
  toStoredError,
} from "./answer.ts";
import { PartList } from "./answer-parts.ts";
import { OverLimitError } from "./answer-spend.ts";
import { createMarkdownSource } from "./markdown/markdown-source.ts";

/** How far an answer has come, to be stored in the conversation. */
export interface AnswerPatch {
  text: string;
  reasoning?: string;
  parts?: readonly AnswerPart[];
  facts: AnswerFacts;
  outcome?: AnswerOutcome;
}

const PULSE_MS = 250;

const NEVER_SENT = {
  title: "Stopped before sending",
  body: "The message was waiting for a free connection.",
  chargedText: REQUEST_CHARGE.no,
  nextStep: "",
};

/**
 * Reads one answer to its end. `commit` is given what has arrived about once a second, so that a crash loses little, and
 * at the end with the outcome. Events after a stop are ignored.
 */
export function runAnswer({
  open,
  startText = "",
  startParts,
  onEvent,
  commit,
  commitEveryMs = 1000,
  explain = toStoredError,
}: {
  open: (signal: AbortSignal) => AsyncIterable<TextEvent>;
  /** What has come so far, when an answer is continued. */
  startText?: string;
  startParts?: readonly AnswerPart[] | undefined;
  onEvent?: (event: TextEvent) => void;
  commit: (patch: AnswerPatch) => void;
  commitEveryMs?: number;
  /** Puts an error into words. */
  explain?: (error: ApiError) => NonNullable<AnswerOutcome["error"]>;
}): AnswerRun {
  const controller = new AbortController();
  const text = createMarkdownSource();
  const reasoning = createMarkdownSource();
  const parts = new PartList(startParts);
  let phase: LivePhase = "waiting";
  let facts = NO_FACTS;
  const readLive = (): LiveAnswer => ({ phase, facts, parts: parts.all() });
  const live = createStore(readLive);
  let pulsedAt = 0;
  let committedAt = performance.now();
  const startedAt = committedAt;
  if (startText !== "") text.append(startText);

  const notify = () => {
    pulsedAt = performance.now();
    live.setState(readLive());
  };
  const enter = (next: LivePhase) => {
    if (phase === next || phase === "over") return;
    phase = next;
    notify();
  };
  const commitNow = (outcome?: AnswerOutcome) => {
    committedAt = performance.now();
    const thought = reasoning.text();
    commit({
      text: text.text(),
      facts,
      ...(thought === "" ? {} : { reasoning: thought }),
      ...(parts.all().length === 0 ? {} : { parts: parts.all() }),
      ...(outcome === undefined ? {} : { outcome }),
    });
  };
  const finish = (outcome: AnswerOutcome) => {
    if (phase === "over") return;
    text.end();
    reasoning.end();
    commitNow(outcome);
    enter("over");
  };
  const take = (event: TextEvent) => {
    facts = measure(facts, event);
    if (event.kind === "queued") enter("queued");
    else if (event.kind === "retry") enter("retrying");
    else if (event.kind === "request") enter("waiting");
    else if (event.kind === "end") {
      const error = event.error && { error: explain(event.error) };
      finish({ how: event.how, ...error });
    } else if (event.kind === "error") finish({ how: "failed", error: explain(event.error) });
    // One completion is shown; further choices are only in the request log.
    else if (event.kind === "reasoning" || (event.kind === "text" && event.choice === 0)) {
      (event.kind === "text" ? text : reasoning).append(event.text);
      enter(event.kind === "text" ? "answering" : "reasoning");
      pulse();
    } else if (event.kind === "part" || event.kind === "part-text") {
      if (event.kind === "part") parts.put(event.key, event.part);
      else parts.addText(event.key, event.text);
      enter("answering");
      pulse();
    }
  };
  const pulse = () => {
    const now = performance.now();
    if (now - committedAt >= commitEveryMs) commitNow();
    if (now - pulsedAt >= PULSE_MS) notify();
  };
  const drive = async () => {
    // The caller holds the run before the first event.
    await Promise.resolve();
    for await (const event of open(controller.signal)) {
      onEvent?.(event);
      if (phase !== "over") take(event);
    }
    finish({ how: "early" });
  };
  return {
    text,
    reasoning,
    live,
    save() {
      if (phase !== "over") commitNow();
    },
    stop() {
      facts = { ...interrupted(facts), totalMs: facts.totalMs ?? performance.now() - startedAt };
      controller.abort();
      finish(phase === "queued" ? { how: "stopped", error: NEVER_SENT } : { how: "stopped" });
    },
    done: drive().catch((error: unknown) =>
      finish(error instanceof OverLimitError ? { how: "failed", error: error.stored } : { how: "early" }),
    ),
  };
}
