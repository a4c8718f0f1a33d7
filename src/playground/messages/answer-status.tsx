import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ANSWER_AGAIN, ANSWER_MAY_BE_CHARGED } from "#api/charge-words.ts";
import { useApi } from "#connection/client.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { modelCommands } from "#models/commands.ts";
import { type AnswerFacts, type AnswerOutcome, type StoredError, tokensPerSecond } from "#text/answer.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { answerCost, formatDollars, readTextPrice } from "#text/text-price.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Notice } from "#ui/notice.tsx";
import { playgroundCommands } from "../commands.ts";
import { useIsHidden } from "../hidden-names.ts";
import { useDialog } from "../use-dialog.ts";
import { useColumnCommand } from "./message-acts.ts";

/** An act of the notice that is offered elsewhere, too: its command there. */
interface EndAct {
  id: string;
  run: () => void;
}

/**
 * How an answer ended, unless it is complete: what happened, what it may have cost, and what to do next, here or
 * elsewhere: a refused key on Connect, a model of the other catalogue in Create (spec 7).
 */
export function OutcomeNotice({
  outcome,
  columnId,
  model,
  retry,
  proceed,
}: {
  outcome: AnswerOutcome;
  columnId: string;
  model: string | undefined;
  /** Absent where other messages follow, which another try would not answer. */
  retry?: EndAct | undefined;
  /** Goes on behind what arrived. Absent where nothing did. */
  proceed?: EndAct | undefined;
}) {
  const { how, error } = outcome;
  const isHidden = useIsHidden();
  if (how === "complete") return null;
  // The words of a service may name its model.
  if (isHidden) {
    return (
      <Notice
        tone="info"
        title={how === "failed" ? "No answer" : titleOf({ how })}
        className="mt-2 text-[13.5px] leading-5"
      >
        Details are shown after the vote.
      </Notice>
    );
  }
  return (
    <Notice
      tone={how === "failed" ? "error" : "info"}
      title={titleOf(outcome)}
      className="mt-2 max-w-[66ch] text-[13.5px] leading-5 group-has-[[data-behind]]/message:invisible"
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
      {bodyOf(outcome)}
    </Notice>
  );
}

/** The next act where it is not here: on Connect, in Create, or with another model. */
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
  const named = useColumnCommand({ id: columnId, model });
  const connect = { to: "/connect", search: { back: "/playground" } } as const;
  const create = { to: "/create/$modelId", params: { modelId: model } } as const;
  const key = { ...named(playgroundCommands.checkKey), run: () => void navigate(connect) };
  const openModel = {
    ...named(playgroundCommands.openInCreate),
    label: `Open ${visibleLine(model)} in Create`,
    run: () => void navigate(create),
  };
  const canOpen = place === "create" && model !== "";
  useCommands(place === "connect" ? [key] : canOpen ? [openModel] : []);
  if (place === "connect") {
    return (
      <Link {...connect} data-command={key.id} className={buttonClass({ size: "sm" })}>
        Check the key
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
  // The act of the column's head.
  return place === "create" ? null : (
    <Button
      size="sm"
      data-command={named(modelCommands.choose).id}
      onClick={() => openDialog({ kind: "model", columnId })}
    >
      Choose another model
    </Button>
  );
}

function titleOf({ how, error }: AnswerOutcome): string {
  if (how === "stopped") return error?.title ?? "Stopped";
  if (how === "lost") return "The page was closed during the answer";
  if (how === "early") return "The answer ended early";
  return error?.title ?? "No answer";
}

const PARTIAL_ANSWER = `Partial answer kept. ${ANSWER_MAY_BE_CHARGED}`;

function bodyOf({ how, error }: AnswerOutcome): string {
  if (how === "stopped") return error ? `${error.body} ${error.chargedText}` : PARTIAL_ANSWER;
  if (how === "lost") return PARTIAL_ANSWER;
  if (how === "early") {
    const why = error ? "The connection broke, or the service stopped sending." : "The stream stopped before its end.";
    return `${why} ${PARTIAL_ANSWER} ${ANSWER_AGAIN}`;
  }
  return error ? `${error.body} ${error.chargedText} ${error.nextStep}` : "";
}

/** What was measured of an answer, as far as the service reported it. A cost only where /v1/models gives a price. */
export function StatsLine({
  facts,
  model,
  isLive = false,
}: {
  facts: AnswerFacts;
  model?: string | undefined;
  /** What grows then comes last, so that it moves nothing. */
  isLive?: boolean | undefined;
}) {
  const cost = useAnswerCost(facts, model);
  const [first, ...others] = factWords(facts);
  const words = first === undefined ? [] : isLive ? [...others, first] : [first, ...others];
  if (cost !== undefined) words.push(formatDollars(cost));
  if (words.length === 0) return null;
  return (
    <p className="m-0 flex flex-wrap gap-x-3.5 text-[12px] text-ink-3 tabular-nums leading-5">
      {words.map((word) => (
        <span key={word}>{word}</span>
      ))}
    </p>
  );
}

/** In US dollars, by the catalogue's price; undefined where it has none. */
export function useAnswerCost(facts: AnswerFacts, model: string | undefined): number | undefined {
  const { data } = useQuery({ ...textModelQueries(useApi()).all(), enabled: model !== undefined });
  const entry = data?.find(({ id }) => id === model);
  return entry && answerCost(facts, readTextPrice(entry.raw));
}

const count = (value: number) => value.toLocaleString("en-US");

function factWords(facts: AnswerFacts): string[] {
  const { outputTokens, inputTokens, firstTokenMs, cachedTokens, cacheWriteTokens, reasoningTokens } = facts;
  const pace = tokensPerSecond(facts);
  return [
    outputTokens !== undefined && facts.totalMs !== undefined
      ? `${count(outputTokens)} tokens`
      : facts.pieces > 0
        ? `${count(facts.pieces)} chunks`
        : "",
    inputTokens === undefined ? "" : `${count(inputTokens)} in`,
    firstTokenMs === undefined ? "" : `${(firstTokenMs / 1000).toFixed(2)} s to first`,
    pace === undefined ? "" : `${count(Math.round(pace))} tok/s`,
    reasoningTokens ? `${count(reasoningTokens)} reasoning` : "",
    cachedTokens ? `${count(cachedTokens)} cache read` : "",
    cacheWriteTokens ? `${count(cacheWriteTokens)} cache write` : "",
    facts.stopReason && !USUAL_STOPS.has(facts.stopReason) ? facts.stopReason : "",
  ].filter((word) => word !== "");
}

/** How an answer usually ends; any other reason is shown. */
const USUAL_STOPS = new Set(["stop", "end_turn", "completed"]);
