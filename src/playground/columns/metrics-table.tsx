import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import type { AnswerPart } from "#api/text/text-types.ts";
import { counted, formatDecimals, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { type ResponseFacts, tokensPerSecond } from "#text/answer.ts";
import { formatDollars } from "#text/answer-spend.ts";
import { useChat } from "#text/chat.ts";
import { type Column, type Conversation, findTurn, visiblePath } from "#text/conversations/conversation.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextInput } from "#ui/field.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { useResponseCost } from "../messages/answer.tsx";
import type { DialogBodyProps } from "../use-dialog.ts";
import { useIsBusy } from "./column-acts.ts";

interface Compared {
  column: Column;
  /** The facts of all versions of its latest response, oldest first. */
  versions: readonly ResponseFacts[];
}

/** A row of the table: what is compared between the columns of the chat. */
interface Metric {
  label: string;
  cell: (compared: Compared) => ReactNode;
}

const seconds = (ms: number) => `${formatDecimals(ms / 1000, 2)} s`;
const wholeNumber = (value: number) => formatNumber(Math.round(value));

/** A metric that shows the median of a number over the versions, and its range. */
function measured(
  label: string,
  read: (facts: ResponseFacts) => number | undefined,
  write: (value: number) => string,
): Metric {
  const cell = ({ versions }: Compared) =>
    spreadText(
      versions.flatMap((facts) => read(facts) ?? []),
      write,
    );
  return { label, cell };
}

const METRICS: readonly Metric[] = [
  measured("Time to first token", (facts) => facts.firstTokenMs, seconds),
  measured("Total time", (facts) => facts.totalMs, seconds),
  measured("Tokens per second", tokensPerSecond, wholeNumber),
  measured("Output tokens", (facts) => facts.outputTokens, wholeNumber),
  measured("Input tokens", (facts) => facts.inputTokens, wholeNumber),
  measured("Cache read", (facts) => facts.cachedTokens, wholeNumber),
  measured("Cache write", (facts) => facts.cacheWriteTokens, wholeNumber),
  measured("Reasoning tokens", (facts) => facts.reasoningTokens, wholeNumber),
  { label: "Stop reason", cell: ({ versions }) => versions.at(-1)?.stopReason ?? "—" },
  { label: "Other content", cell: ({ column }) => partsText(latestResponse(column)?.parts) },
  {
    label: "Price",
    cell: ({ column, versions }) => <Cost facts={versions.at(-1)} model={column.model} />,
  },
];

/** Metrics of the latest response of each column, with the range over its versions. */
export function MetricsTable({ conversation }: DialogBodyProps<"compare">) {
  const isRunning = useIsBusy(conversation.id);
  const columns = conversation.columns.flatMap((column) => {
    const versions = versionFacts(column);
    return versions.length === 0 ? [] : [{ column, versions }];
  });
  if (columns.length === 0) {
    return <EmptyState title="No metrics yet">Send a message first. Metrics of each response appear here.</EmptyState>;
  }
  return (
    <div className="overflow-x-auto">
      <RepeatForm conversation={conversation} isRunning={isRunning} />
      <p role="status" className="m-0 mb-2 text-sm text-ink-3">
        {isRunning
          ? "Waiting for responses…"
          : "Latest response per column. With several versions, times and tokens show the median (min to max)."}
      </p>
      <Table
        columns={[
          { name: "Metric", isRowHeader: true, cellClass: () => "text-ink-2", cell: ({ label }) => label },
          ...columns.map((compared): TableColumn<Metric> => {
            const { column, versions } = compared;
            return {
              key: column.id,
              name: visibleLine(column.model),
              head: (
                <>
                  <span className="font-medium text-ink">{visibleLine(column.model)}</span> {column.endpoint}
                  {versions.length > 1 && `, ${counted(versions.length, "version")}`}
                </>
              ),
              className: "tabular-nums",
              cell: (metric) => metric.cell(compared),
            };
          }),
        ]}
        rows={METRICS}
        keyOf={({ label }) => label}
      />
    </div>
  );
}

function Cost({ facts, model }: { facts: ResponseFacts | undefined; model: string }) {
  const cost = useResponseCost(facts ?? { pieces: 0 }, model);
  return cost === undefined ? "—" : formatDollars(cost);
}

const latestResponse = ({ thread }: Column) =>
  visiblePath(thread).findLast(({ turn }) => turn.role === "assistant")?.turn;

const PART_WORDS = {
  "tool-call": ["tool call", "tool calls"],
  refusal: ["refusal", "refusals"],
  citation: ["citation", "citations"],
  picture: ["image", "images"],
  other: ["other block", "other blocks"],
} as const;

/** The parts of a response besides its text, as words: `1 tool call, 3 citations`. */
function partsText(parts: readonly AnswerPart[] = []): string {
  const words = Object.entries(PART_WORDS).flatMap(([kind, [one, several]]) => {
    const count = parts.filter((part) => part.kind === kind).length;
    return count === 0 ? [] : [counted(count, one, several)];
  });
  return words.join(", ") || "None";
}

/** The facts of all versions of a column's latest response, oldest first. */
function versionFacts({ thread }: Column): ResponseFacts[] {
  const latest = visiblePath(thread).findLast(({ turn }) => turn.role === "assistant");
  return (latest?.versions ?? []).flatMap((id) => findTurn(thread, id)?.facts ?? []);
}

/** The median of values; of several, also the lowest and the highest. "—" without any. */
function spreadText(values: readonly number[], write: (value: number) => string): string {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || lowest === undefined || highest === undefined) return "—";
  const median = write((low + high) / 2);
  return values.length === 1 ? median : `${median} (${write(lowest)} to ${write(highest)})`;
}

/** Runs that one press may start. Each is charged. */
const MAX_TIMES = 50;

function isCount(text: string): boolean {
  const times = Number(text);
  return Number.isInteger(times) && times >= 1 && times <= MAX_TIMES;
}

/**
 * Sends the latest message of every column again, to see how much the responses differ. In a column one run follows the
 * other; the columns do not wait for each other, and one that stops does not stop the others.
 */
function RepeatForm({ conversation, isRunning }: { conversation: Conversation; isRunning: boolean }) {
  const { responses } = useChat();
  const { register, handleSubmit, formState } = useForm({ mode: "onChange", defaultValues: { times: "5" } });
  const isUsable = formState.errors.times === undefined;
  const run = handleSubmit(({ times }) => {
    if (isRunning) return;
    for (const { id, thread } of conversation.columns) {
      const newest = visiblePath(thread).findLast(({ turn }) => turn.role === "assistant");
      if (newest) void responses.repeat(conversation.id, id, newest.turn.id, Number(times));
    }
  });
  return (
    // Not a form, because Enter in the field would start charged requests.
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <label htmlFor="repeat-times" className="text-sm">
        Run the latest message again
      </label>
      <TextInput
        id="repeat-times"
        inputMode="numeric"
        aria-describedby="repeat-note"
        aria-invalid={!isUsable}
        className="w-16"
        {...register("times", { validate: isCount })}
      />
      <span className="text-sm">times</span>
      {isRunning ? (
        <Button onClick={() => responses.stop(conversation.id)}>Stop</Button>
      ) : (
        <Button onClick={() => void run()} aria-disabled={!isUsable || formState.isSubmitting}>
          Run
        </Button>
      )}
      <span id="repeat-note" className="text-xs text-ink-3">
        {isUsable
          ? "Sent in every column with a response. Each new one is charged. A column stops if one fails or is cut off."
          : `Enter a whole number from 1 to ${MAX_TIMES}.`}
      </span>
    </div>
  );
}
