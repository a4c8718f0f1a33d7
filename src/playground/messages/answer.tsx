import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { createStore, useStore } from "zustand";
import { ANSWER_AGAIN, ANSWER_MAY_BE_CHARGED } from "#api/charge-words.ts";
import type { AnswerPart } from "#api/text/text-types.ts";
import { useApi } from "#connection/client.ts";
import { counted, formatDecimals, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { modelCommands } from "#models/commands.ts";
import {
  type LiveResponse,
  NO_FACTS,
  QUEUED_WORDS,
  type ResponseFacts,
  type ResponseOutcome,
  type ResponseRun,
  type StoredError,
  tokensPerSecond,
} from "#text/answer.ts";
import { formatDollars, readTextPrice, responseCost } from "#text/answer-spend.ts";
import { useChatState } from "#text/chat.ts";
import type { Turn } from "#text/conversations/conversation.ts";
import { MarkdownView } from "#text/markdown/markdown-view.tsx";
import { textModelQueries } from "#text/text-model-queries.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Notice } from "#ui/notice.tsx";
import { useColumnCommand, useIsHidden } from "../columns/column-acts.ts";
import { playgroundCommands } from "../commands.ts";
import { useDialog } from "../use-dialog.ts";
import { ResponseParts } from "./answer-parts.tsx";
import type { MessageActs } from "./message-acts.ts";
import { mentionsRuns } from "./proposals.ts";
import { ProposedRuns } from "./proposed-runs.tsx";

/**
 * A response, coming or finished: its collapsed reasoning, its text and parts, and how it ended unless it is complete.
 * The elements stay the same when the response ends, so that what the reader opened stays open.
 */
export function ModelResponse({
  conversationId,
  columnId,
  turn,
  acts,
  isCommanded,
}: {
  conversationId: string;
  columnId: string;
  turn: Turn;
  /** The actions for a response that did not complete. Only the latest response has them. */
  acts: Pick<MessageActs, "regenerate" | "continue"> | undefined;
  /** Whether the commands of the palette act on this response. */
  isCommanded: boolean;
}) {
  const run = useRun(turn.id);
  const live = run?.live ?? OVER;
  const phase = useStore(live, (state) => state.phase);
  const parts = useStore(live, (state) => (run ? state.parts : (turn.parts ?? NO_PARTS)));
  const hasRuns = useStore(live, () => mentionsRuns(run?.text.text() ?? turn.text));
  const { outcome, asked, facts } = turn;
  const hasText = (run?.text.text() ?? turn.text) !== "";
  // The earlier reasoning of a continued response is shown until new reasoning arrives.
  const reasoning = run && run.reasoning.text() !== "" ? run.reasoning : turn.reasoning;
  const proposal = { conversationId, isComing: run !== undefined, isCommanded };
  return (
    <div aria-busy={phase !== "over"}>
      {isBefore(phase) && !hasText && <p className="m-0 text-ink-3">{BEFORE_TEXT[phase]}</p>}
      {reasoning && (
        <Reasoning title={phase === "reasoning" ? "Reasoning…" : "Reasoning"}>
          <MarkdownView text={reasoning} />
        </Reasoning>
      )}
      {(run || hasText) && (
        <div className={clsx(phase === "answering" && "md-caret")}>
          <MarkdownView text={run?.text ?? turn.text} />
        </div>
      )}
      {hasRuns && <ProposedRuns {...proposal} text={turn.text} />}
      {parts.length > 0 && <ResponseParts {...proposal} parts={parts} />}
      {!run && !hasText && parts.length === 0 && outcome?.how === "complete" && (
        <p className="m-0 text-ink-3">{explainEmpty(facts?.stopReason, turn.reasoning !== undefined)}</p>
      )}
      {!run && outcome && (
        <OutcomeNotice
          outcome={outcome}
          columnId={columnId}
          model={asked?.model}
          retry={acts?.regenerate}
          proceed={acts?.continue}
        />
      )}
    </div>
  );
}

/** The run of a response by its message's id; undefined once the response has ended. */
export function useRun(turnId: string): ResponseRun | undefined {
  return useChatState(({ runs }) => runs[turnId]?.run);
}

const NO_PARTS: readonly AnswerPart[] = [];
/** Used instead of a run that has ended: a hook needs a store. */
const OVER = createStore<LiveResponse>(() => ({ phase: "over", facts: NO_FACTS, parts: NO_PARTS }));

/** Why a complete response has nothing to show. */
function explainEmpty(stopReason: string | undefined, hasReasoning: boolean): string {
  if (stopReason === "refusal") return "The model declined to respond and gave no reason.";
  if (stopReason === "content_filter") return "The service’s content filter blocked the response.";
  const isCut = stopReason === "max_tokens" || stopReason === "length" || stopReason === "max_output_tokens";
  if (hasReasoning && isCut) return "The reasoning used all tokens. Raise Max tokens in the parameters.";
  return hasReasoning ? "The response ended after the reasoning." : "The response was empty.";
}

/** Shown before the first token. */
const BEFORE_TEXT = {
  queued: QUEUED_WORDS,
  waiting: "Waiting for the first token…",
  retrying: "Rejected. Retrying…",
};

function isBefore(phase: string): phase is keyof typeof BEFORE_TEXT {
  return Object.hasOwn(BEFORE_TEXT, phase);
}

/** The metrics so far. They stand above the response, because below it they would move with every line. */
export function LiveStats({ run }: { run: ResponseRun }) {
  return <StatsLine facts={useStore(run.live, (live) => live.facts)} isLive />;
}

/** The reasoning before a response, collapsed. */
function Reasoning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="mb-3 max-w-[66ch] rounded-md border border-line px-3 py-2 text-ink-2">
      <summary className="cursor-pointer text-sm">{title}</summary>
      <div className="mt-2 text-sm">{children}</div>
    </details>
  );
}

/** An action of the notice, with the id of the command that does the same elsewhere. */
interface EndAct {
  id: string;
  run: () => void;
}

/**
 * How a response ended, unless it is complete: what happened, what it may have cost, and what to do next. For a rejected
 * key that is on Connect, for a generation model in Create (spec 7).
 */
export function OutcomeNotice({
  outcome,
  columnId,
  model,
  retry,
  proceed,
}: {
  outcome: ResponseOutcome;
  columnId: string;
  model: string | undefined;
  /** Absent where other messages follow: another try would not respond to them. */
  retry?: EndAct | undefined;
  /** Continues the response. Absent where nothing has arrived. */
  proceed?: EndAct | undefined;
}) {
  const { how, error } = outcome;
  const isHidden = useIsHidden();
  if (how === "complete") return null;
  // The service's words may name the model, which is hidden.
  if (isHidden) {
    return (
      <Notice
        tone="info"
        title={how === "failed" ? "No response" : outcomeTitle({ how })}
        className="mt-2 text-base leading-snug"
      >
        Details appear after the vote.
      </Notice>
    );
  }
  return (
    <Notice
      tone={how === "failed" ? "error" : "info"}
      title={outcomeTitle(outcome)}
      className="mt-2 max-w-[66ch] text-base leading-snug group-has-[[data-behind]]/message:invisible"
      actions={
        retry && (
          <>
            {error?.place && <ActElsewhere place={error.place} columnId={columnId} model={model} />}
            {proceed && (
              <Button size="sm" data-command={proceed.id} onClick={proceed.run}>
                Continue
              </Button>
            )}
            <Button size="sm" data-command={retry.id} onClick={retry.run}>
              Try again
            </Button>
          </>
        )
      }
    >
      {outcomeBody(outcome)}
    </Notice>
  );
}

/** The button for a next step that is on Connect, in Create, or with another model. */
function ActElsewhere({
  place,
  columnId,
  model = "",
}: {
  place: NonNullable<StoredError["place"]>;
  columnId: string;
  model: string | undefined;
}) {
  const openDialog = useDialog();
  const navigate = useNavigate();
  const columnCommand = useColumnCommand({ id: columnId, model });
  const connect = { to: "/connect", search: { back: "/playground" } } as const;
  const create = { to: "/create/$modelId", params: { modelId: model } } as const;
  const checkKey = { ...columnCommand(playgroundCommands.checkKey), run: () => void navigate(connect) };
  const openModel = {
    ...columnCommand(playgroundCommands.openInCreate),
    label: `Open ${visibleLine(model)} in Create`,
    run: () => void navigate(create),
  };
  const canOpen = place === "create" && model !== "";
  useCommands(place === "connect" ? [checkKey] : canOpen ? [openModel] : []);
  if (place === "connect") {
    return (
      <Link {...connect} data-command={checkKey.id} className={buttonClass({ size: "sm" })}>
        {playgroundCommands.checkKey.label}
      </Link>
    );
  }
  if (canOpen) {
    return (
      <Link {...create} data-command={openModel.id} className={buttonClass({ size: "sm" })}>
        {openModel.label}
      </Link>
    );
  }
  // The same command as in the head of the column.
  return place === "create" ? null : (
    <Button
      size="sm"
      data-command={columnCommand(modelCommands.choose).id}
      onClick={() => openDialog({ kind: "model", columnId })}
    >
      Choose another model
    </Button>
  );
}

function outcomeTitle({ how, error }: ResponseOutcome): string {
  if (how === "stopped") return error?.title ?? "Stopped";
  if (how === "lost") return "This tab was closed during the response";
  if (how === "early") return "The response was cut off";
  return error?.title ?? "No response";
}

const PARTIAL_RESPONSE = `Partial response saved. ${ANSWER_MAY_BE_CHARGED}`;

function outcomeBody({ how, error }: ResponseOutcome): string {
  if (how === "stopped") return error ? `${error.body} ${error.chargedText}` : PARTIAL_RESPONSE;
  if (how === "lost") return PARTIAL_RESPONSE;
  if (how === "early") {
    const why = error ? "The connection broke, or the service stopped sending." : "The stream stopped before its end.";
    return `${why} ${PARTIAL_RESPONSE} ${ANSWER_AGAIN}`;
  }
  return error ? `${error.body} ${error.chargedText} ${error.nextStep}` : "";
}

/** The metrics of a response that the service reported, with its cost where /v1/models gives a price. */
export function StatsLine({
  facts,
  model,
  isLive = false,
}: {
  facts: ResponseFacts;
  model?: string | undefined;
  /** Whether the response is still coming. The growing count then comes last, so that it moves nothing. */
  isLive?: boolean | undefined;
}) {
  const cost = useResponseCost(facts, model);
  const [first, ...others] = factWords(facts);
  const words = first === undefined ? [] : isLive ? [...others, first] : [first, ...others];
  if (cost !== undefined) words.push(formatDollars(cost));
  if (words.length === 0) return null;
  return (
    <p className="m-0 flex flex-wrap gap-x-3.5 text-xs text-ink-3 tabular-nums leading-relaxed">
      {words.map((word) => (
        <span key={word}>{word}</span>
      ))}
    </p>
  );
}

/** The cost in US dollars, by the catalogue's price; undefined where it has none. */
export function useResponseCost(facts: ResponseFacts, model: string | undefined): number | undefined {
  const { data } = useQuery({ ...textModelQueries(useApi()).all(), enabled: model !== undefined });
  const entry = data?.find(({ id }) => id === model);
  return entry && responseCost(facts, readTextPrice(entry.raw));
}

function factWords(facts: ResponseFacts): string[] {
  const { outputTokens, inputTokens, firstTokenMs, cachedTokens, cacheWriteTokens, reasoningTokens } = facts;
  const pace = tokensPerSecond(facts);
  return [
    outputTokens !== undefined && facts.totalMs !== undefined
      ? counted(outputTokens, "token")
      : facts.pieces > 0
        ? counted(facts.pieces, "chunk")
        : "",
    inputTokens === undefined ? "" : `${formatNumber(inputTokens)} in`,
    firstTokenMs === undefined ? "" : `${formatDecimals(firstTokenMs / 1000, 2)} s to first token`,
    pace === undefined ? "" : `${formatNumber(Math.round(pace))} tok/s`,
    reasoningTokens ? `${formatNumber(reasoningTokens)} reasoning` : "",
    cachedTokens ? `${formatNumber(cachedTokens)} cache read` : "",
    cacheWriteTokens ? `${formatNumber(cacheWriteTokens)} cache write` : "",
    facts.stopReason && !USUAL_STOPS.has(facts.stopReason) ? facts.stopReason : "",
  ].filter((word) => word !== "");
}

/** Usual stop reasons. Any other reason is shown. */
const USUAL_STOPS = new Set(["stop", "end_turn", "completed"]);
