import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import type { AnswerPart } from "#api/text/text-types.ts";
import { type AnswerFacts, tokensPerSecond } from "#chat/answer.ts";
import { useChat, useChatState } from "#chat/chat.ts";
import type { Column, Conversation } from "#chat/conversations/conversation.ts";
import { findTurn, visiblePath } from "#chat/conversations/thread.ts";
import { formatDollars } from "#chat/text-price.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextInput } from "#ui/field.tsx";
import { useAnswerCost } from "../messages/answer-status.tsx";
import type { DialogBodyProps } from "../use-dialog.ts";

interface Row {
  label: string;
  read: (facts: AnswerFacts) => number | undefined;
  write: (value: number) => string;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const whole = (value: number) => Math.round(value).toLocaleString("en-US");

const ROWS: readonly Row[] = [
  { label: "Time to first token", read: (facts) => facts.firstTokenMs, write: seconds },
  { label: "Total time", read: (facts) => facts.totalMs, write: seconds },
  { label: "Tokens per second", read: tokensPerSecond, write: whole },
  { label: "Output tokens", read: (facts) => facts.outputTokens, write: whole },
  { label: "Input tokens", read: (facts) => facts.inputTokens, write: whole },
  { label: "Cache read", read: (facts) => facts.cachedTokens, write: whole },
  { label: "Cache write", read: (facts) => facts.cacheWriteTokens, write: whole },
  { label: "Reasoning tokens", read: (facts) => facts.reasoningTokens, write: whole },
];

/** The newest answer of each column side by side, and how far its versions spread. */
export function CompareTable({ conversation }: DialogBodyProps<"compare">) {
  const isRunning = useChatState(({ runs }) =>
    Object.values(runs).some(({ conversationId }) => conversationId === conversation.id),
  );
  const columns = conversation.columns.flatMap((column) => {
    const versions = versionFacts(column);
    return versions.length === 0 ? [] : [{ column, versions }];
  });
  if (columns.length === 0) {
    return <EmptyState title="No metrics yet">Send a message first. Metrics of each answer appear here.</EmptyState>;
  }
  return (
    <div className="overflow-x-auto">
      <RepeatForm conversation={conversation} isRunning={isRunning} />
      <p role="status" className="m-0 mb-2 text-[12.5px] text-ink-3">
        {isRunning
          ? "Still answering"
          : "The newest answer of each column. With several versions: median (lowest to highest)."}
      </p>
      <table className="w-full border-collapse text-left tabular-nums">
        <thead>
          <tr className="text-[12.5px]">
            <th scope="col" className="border-line border-b py-1.5 pr-3 font-medium text-ink-3">
              Metric
            </th>
            {columns.map(({ column, versions }) => (
              <th key={column.id} scope="col" className="border-line border-b py-1.5 pr-3 font-medium">
                {visibleLine(column.model)} <span className="font-normal text-ink-3">{column.endpoint}</span>
                {versions.length > 1 && <span className="font-normal text-ink-3">, {versions.length} versions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ label, read, write }) => (
            <Line key={label} label={label}>
              {columns.map(({ column, versions }) => (
                <td key={column.id} className="border-line border-b py-1.5 pr-3">
                  {spreadText(
                    versions.flatMap((facts) => read(facts) ?? []),
                    write,
                  )}
                </td>
              ))}
            </Line>
          ))}
          <Line label="Stop reason">
            {columns.map(({ column, versions }) => (
              <td key={column.id} className="border-line border-b py-1.5 pr-3">
                {versions.at(-1)?.stopReason ?? "—"}
              </td>
            ))}
          </Line>
          <Line label="Other content">
            {columns.map(({ column }) => (
              <td key={column.id} className="border-line border-b py-1.5 pr-3">
                {partsText(newestAnswer(column)?.parts)}
              </td>
            ))}
          </Line>
          <Line label="Price of the newest">
            {columns.map(({ column, versions }) => (
              <Cost key={column.id} facts={versions.at(-1)} model={column.model} />
            ))}
          </Line>
        </tbody>
      </table>
    </div>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <tr>
      <th scope="row" className="border-line border-b py-1.5 pr-3 font-normal text-ink-2">
        {label}
      </th>
      {children}
    </tr>
  );
}

function Cost({ facts, model }: { facts: AnswerFacts | undefined; model: string }) {
  const cost = useAnswerCost(facts ?? { pieces: 0 }, model);
  return <td className="border-line border-b py-1.5 pr-3">{cost === undefined ? "—" : formatDollars(cost)}</td>;
}

const newestAnswer = ({ thread }: Column) =>
  visiblePath(thread).findLast(({ turn }) => turn.role === "assistant")?.turn;

const PART_WORDS = {
  "tool-call": ["tool call", "tool calls"],
  refusal: ["refusal", "refusals"],
  citation: ["citation", "citations"],
  picture: ["image", "images"],
  other: ["other block", "other blocks"],
} as const;

/** What there is in an answer besides its text: `1 tool call, 3 citations`. */
function partsText(parts: readonly AnswerPart[] = []): string {
  const words = Object.entries(PART_WORDS).flatMap(([kind, [one, several]]) => {
    const count = parts.filter((part) => part.kind === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];
  });
  return words.join(", ") || "nothing";
}

/** What was measured of all versions of a column's newest answer, oldest first. */
function versionFacts({ thread }: Column): AnswerFacts[] {
  const newest = visiblePath(thread).findLast(({ turn }) => turn.role === "assistant");
  return (newest?.versions ?? []).flatMap((id) => findTurn(thread, id)?.facts ?? []);
}

/** The median of measured values; of several, also the lowest and the highest. */
function spreadText(values: readonly number[], write: (value: number) => string): string {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || lowest === undefined || highest === undefined) return "—";
  const median = write((low + high) / 2);
  return values.length === 1 ? median : `${median} (${write(lowest)} to ${write(highest)})`;
}

const MOST_TIMES = 50;

function isCount(text: string): boolean {
  const times = Number(text);
  return Number.isInteger(times) && times >= 1 && times <= MOST_TIMES;
}

/** Asks the newest question of every column again, one run after the other, to see how far the answers spread. */
function RepeatForm({ conversation, isRunning }: { conversation: Conversation; isRunning: boolean }) {
  const { answers } = useChat();
  const { register, handleSubmit, formState } = useForm({ mode: "onChange", defaultValues: { times: "5" } });
  const isUsable = formState.errors.times === undefined;
  const run = handleSubmit(({ times }) => {
    if (isRunning) return;
    for (const { id, thread } of conversation.columns) {
      const newest = visiblePath(thread).findLast(({ turn }) => turn.role === "assistant");
      if (newest) void answers.repeat(conversation.id, id, newest.turn.id, Number(times));
    }
  });
  return (
    // Not a form, because Enter in the field would start charged requests.
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <label htmlFor="repeat-times" className="text-[13px]">
        Run the newest message again
      </label>
      <TextInput
        id="repeat-times"
        inputMode="numeric"
        aria-describedby="repeat-note"
        aria-invalid={!isUsable}
        className="w-16"
        {...register("times", { validate: isCount })}
      />
      <span className="text-[13px]">times</span>
      {isRunning ? (
        <Button onClick={() => answers.stop(conversation.id)}>Stop</Button>
      ) : (
        <Button onClick={() => void run()} aria-disabled={!isUsable}>
          Run
        </Button>
      )}
      <span id="repeat-note" className="text-[12px] text-ink-3">
        {isUsable
          ? "Each run is charged. The series ends on a refusal, or when you press Stop."
          : `Enter a whole number from 1 to ${MOST_TIMES}.`}
      </span>
    </div>
  );
}
