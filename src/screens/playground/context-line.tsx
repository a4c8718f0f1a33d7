import { useQuery } from "@tanstack/react-query";
import { type ContextSize, contextOfPath, withQuestion } from "#chat/context-size.ts";
import type { Column } from "#chat/conversation.ts";
import type { Picture } from "#chat/pictures.ts";
import { contextLimit } from "#chat/text-model-facts.ts";
import { visiblePath } from "#chat/thread.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { textModelQueries } from "#models/model-queries.ts";

const count = (value: number) => value.toLocaleString("en-US");

interface ColumnContext {
  tokens: number;
  answerTokens: number | undefined;
  limit: number | undefined;
}

/** How much goes along with the next question, for the column that is fullest, and a warning where it will not fit. */
export function ContextLine({
  columns,
  text,
  pictures,
}: {
  columns: readonly Column[];
  text: string;
  pictures: readonly Picture[];
}) {
  const { data: models } = useQuery({ ...textModelQueries(useApi()).all(), enabled: columns.length > 0 });
  const contexts = columns.map((column): ColumnContext => {
    const entry = models?.find(({ id }) => id === column.model);
    const seen = column.endpoint === "completions" ? [] : pictures;
    return { ...withQuestion(sizeOf(column), text, seen), limit: entry && contextLimit(entry.raw) };
  });
  const fullest = contexts.reduce((most, one) => (shareOf(one) > shareOf(most) ? one : most), contexts[0] ?? NOTHING);
  if (fullest.tokens === 0) return <div className="mt-2 h-[1.45em] text-[12px]" />;
  const at = contexts.indexOf(fullest) + 1;
  const where = columns.length > 1 ? ` of column ${at}` : "";
  const { tokens, limit, answerTokens = 0 } = fullest;
  const isOver = limit !== undefined && tokens + answerTokens > limit;
  return (
    <div className="mt-2 px-1 text-[12px] text-ink-3 leading-[1.45] tabular-nums">
      {isOver ? (
        <p role="status" className="m-0 text-unconfirmed">
          Context{where}: about {count(tokens)} tokens
          {answerTokens > 0 && ` and up to ${count(answerTokens)} for the answer`}, above the limit of {count(limit)} of
          this model. The service may refuse the message or cut the answer.{" "}
          {tokens < limit ? "Lower Max tokens in the settings." : "Start a new conversation or shorten it."}
        </p>
      ) : (
        <p
          className="m-0"
          title="The service counted the tokens up to the last answer. New text is estimated at four characters per token."
        >
          Context{where}: about {count(tokens)}
          {limit === undefined ? " tokens" : ` of ${count(limit)} tokens`}
        </p>
      )}
    </div>
  );
}

/** Counted once for each state of a column: the messages of a long conversation are not read anew with each key. */
const sizes = new WeakMap<Column, ContextSize>();

function sizeOf(column: Column): ContextSize {
  const path = () => visiblePath(column.thread).map(({ turn }) => turn);
  const size = sizes.get(column) ?? contextOfPath(column, path());
  sizes.set(column, size);
  return size;
}

const NOTHING: ColumnContext = { tokens: 0, answerTokens: undefined, limit: undefined };

function shareOf({ tokens, answerTokens = 0, limit }: ColumnContext): number {
  return (tokens + answerTokens) / (limit ?? 1_000_000);
}
