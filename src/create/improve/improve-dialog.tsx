import { useEffect, useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { ANSWER_MAY_BE_CHARGED } from "#api/charge-words.ts";
import type { TextModel } from "#api/types.ts";
import { ErrorNotice, KeyNotice } from "#connection/error-notice.tsx";
import { findKey } from "#connection/find-key.ts";
import { formatNumber } from "#lib/numbers.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { SecretFinding } from "#lib/secret-shape.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import { useProjects } from "#runs/ledger/use-ledger.ts";
import { type ResponseFacts, type ResponsePatch, type ResponseRun, runResponse, sentText } from "#text/answer.ts";
import { formatDollars, priceWords, readTextPrice, responseCost, useSpendingClient } from "#text/answer-spend.ts";
import { QueuedNote } from "#text/queued-note.tsx";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Field, Select, TextInput } from "#ui/field.tsx";
import { Notice } from "#ui/notice.tsx";
import { wordDiff } from "./word-diff.ts";

/** Asks a text model for a better prompt and shows what would change and what it cost. */
export function ImproveDialog({
  open,
  onOpenChange,
  models: { data: models = [], error: listError, isPending, refetch },
  prompt,
  onUse,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  models: { data?: readonly TextModel[] | undefined; error: unknown; isPending: boolean; refetch: () => unknown };
  prompt: string;
  onUse: (prompt: string) => void;
}) {
  const clientFor = useSpendingClient();
  const { current } = useProjects();
  const { control, register, getValues, setValue } = useForm({
    defaultValues: { model: "", wish: DEFAULT_WISH },
  });
  const chosen = useWatch({ control, name: "model" });
  const [answer, setAnswer] = useState<ResponsePatch>();
  const [run, setRun] = useState<ResponseRun>();
  const [usedModel, setUsedModel] = useState<TextModel>();
  const [finding, setFinding] = useState<SecretFinding>();
  const running = useRef<ResponseRun>(undefined);
  useEffect(() => () => running.current?.stop(), []);
  const model = models.find(({ id }) => id === chosen) ?? models[0];
  const better = answer?.text.trim() ?? "";
  const isRunning = run !== undefined;

  const start = () => {
    // A second run at the same time would be charged as well.
    if (model === undefined || (running.current && running.current.live.getState().phase !== "over")) return;
    const { wish } = getValues();
    const foundKey = findKey([prompt, wish]);
    setFinding(foundKey);
    if (foundKey) return;
    setAnswer(undefined);
    setUsedModel(model);
    const started: ResponseRun = runResponse({
      open: (signal) => clientFor(current?.id).stream("messages", improveBody(model.id, prompt, wish), { signal }),
      commitEveryMs: 100,
      commit: (patch) => {
        setAnswer(patch);
        if (patch.outcome) setRun(undefined);
      },
    });
    running.current = started;
    setRun(started);
  };
  const error = answer?.outcome?.error;
  const isUsable = better !== "" && !isRunning && answer?.outcome?.how !== "failed";
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) running.current?.stop();
        onOpenChange(next);
      }}
      title="Improve prompt"
      footer={
        <>
          {answer && usedModel && <ImproveCost facts={answer.facts} model={usedModel} />}
          {isRunning ? (
            <Button onClick={() => running.current?.stop()}>Stop</Button>
          ) : (
            <Button variant={isUsable ? "outline" : "primary"} aria-disabled={model === undefined} onClick={start}>
              {isUsable ? "Improve again" : "Improve"}
            </Button>
          )}
          {isUsable && (
            <Button variant="primary" onClick={() => onUse(better)}>
              Use prompt
            </Button>
          )}
        </>
      }
    >
      <Field label="Text model" hint={`Charged by tokens${priceText(model)}.`} className="mb-1.5">
        {({ id, describedBy }) => (
          <Select
            id={id}
            aria-describedby={describedBy}
            value={model?.id ?? ""}
            onChange={(event) => setValue("model", event.target.value)}
          >
            {models.length === 0 && <option value="">{isPending ? "Loading models…" : "No text models"}</option>}
            {models.map((one) => (
              <option key={one.id} value={one.id}>
                {visibleLine(one.id)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {listError !== null && (
        <ErrorNotice error={listError} operation="read" onRetry={() => void refetch()} className="mb-3" />
      )}
      <Field label="What to improve">{({ id }) => <TextInput id={id} {...register("wish")} />}</Field>
      {finding && <KeyNotice finding={finding} onSendAnyway={start} className="mb-3" />}
      <section aria-label="Changes" className="wrap-anywhere rounded-md border border-line bg-well p-3 leading-relaxed">
        {better === "" ? (
          <span className="whitespace-pre-wrap text-ink-2">{prompt}</span>
        ) : isRunning ? (
          <span className="whitespace-pre-wrap">{better}</span>
        ) : (
          <DiffText before={prompt} after={better} />
        )}
      </section>
      {run && <QueuedNote run={run} />}
      {better === "" && answer?.outcome?.how === "complete" && (
        <Notice tone="info" title="The response contains no prompt" className="mt-3">
          {visibleText(sentText("", answer.parts)) || "The response was empty."} {ANSWER_MAY_BE_CHARGED} Try again, or
          choose another model.
        </Notice>
      )}
      {error && (
        <Notice tone="error" title={error.title} className="mt-3">
          {error.body} {error.chargedText} {error.nextStep}
        </Notice>
      )}
    </Dialog>
  );
}

/** The price of a million tokens as the end of a sentence; empty where the model list gives none. */
function priceText(model: TextModel | undefined): string {
  const price = model && readTextPrice(model.raw);
  return price ? `: ${priceWords(price)}` : "";
}

function DiffText({ before, after }: { before: string; after: string }) {
  let at = 0;
  return (
    <span className="whitespace-pre-wrap">
      {wordDiff(before, after).map(({ kind, text }) => {
        at += text.length;
        if (kind === "same") return <span key={at}>{text}</span>;
        return kind === "gone" ? (
          <del key={at} className="rounded-sm bg-failed-soft text-ink-3">
            {text}
          </del>
        ) : (
          <ins key={at} className="rounded-sm bg-success-soft no-underline">
            {text}
          </ins>
        );
      })}
    </span>
  );
}

/** What an improvement cost: tokens as the service counted them, and money where the model list gives a price. */
function ImproveCost({ facts, model }: { facts: ResponseFacts; model: TextModel }) {
  const { inputTokens, outputTokens, totalMs } = facts;
  if (totalMs === undefined) return null;
  const cost = responseCost(facts, readTextPrice(model.raw));
  const tokens =
    inputTokens === undefined || outputTokens === undefined
      ? "The service gave no token count."
      : `${formatNumber(inputTokens)} tokens in, ${formatNumber(outputTokens)} out`;
  return (
    <p
      role="status"
      className="m-0 mr-auto min-w-0 self-center text-xs max-sm:w-full text-ink-3 tabular-nums leading-snug"
    >
      {tokens}
      {cost !== undefined && `, ${formatDollars(cost)}`}
    </p>
  );
}

const DEFAULT_WISH = "Make it more specific and vivid. Keep what it says and its language.";

/** Tokens of the response. */
const MAX_TOKENS = 600;

/** The messages body (spec 4.2) that asks a text model for a better prompt, and for nothing else. */
function improveBody(model: string, prompt: string, wish: string): JsonRecord {
  return {
    model,
    max_tokens: MAX_TOKENS,
    system: "You rewrite prompts for media generation. Respond with the rewritten prompt alone: no quotes, no comment.",
    messages: [{ role: "user", content: `${wish.trim() || DEFAULT_WISH}\n\nThe prompt:\n${prompt}` }],
  };
}
