import { useQuery } from "@tanstack/react-query";
import { useApi } from "#connection/client.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { type ContextSize, contextOfPath, withQuestion } from "#text/answer-request.ts";
import { type Column, visiblePath } from "#text/conversations/conversation.ts";
import type { Picture } from "#text/conversations/pictures.ts";
import { contextLimit } from "#text/text-model-facts.ts";
import { textModelQueries } from "#text/text-model-queries.ts";

interface ColumnContext {
  tokens: number;
  responseTokens: number | undefined;
  limit: number | undefined;
}

interface ContextProps {
  columns: readonly Column[];
  text: string;
  pictures: readonly Picture[];
}

/** The context of the next message in the column that is fullest. */
function useFullest({ columns, text, pictures }: ContextProps) {
  const { data: models } = useQuery({ ...textModelQueries(useApi()).all(), enabled: columns.length > 0 });
  const contexts = columns.map((column): ColumnContext => {
    const entry = models?.find(({ id }) => id === column.model);
    const sentPictures = column.endpoint === "completions" ? [] : pictures;
    return { ...withQuestion(sizeOf(column), text, sentPictures), limit: entry && contextLimit(entry.raw) };
  });
  const fullest = contexts.reduce((a, b) => (shareOf(b) > shareOf(a) ? b : a), contexts[0] ?? NOTHING);
  const columnText = columns.length > 1 ? ` of column ${contexts.indexOf(fullest) + 1}` : "";
  const { tokens, limit, responseTokens = 0 } = fullest;
  return { tokens, limit, responseTokens, columnText, isOver: limit !== undefined && tokens + responseTokens > limit };
}

const ABOUT_TOKENS =
  "The service counted the tokens up to the latest response. New text is estimated at 4 characters per token.";

/** "3.2k of 128k tokens" with a bar, in the composer. Empty, but as high, while there is nothing to count. */
export function ContextGauge(props: ContextProps) {
  const { tokens, limit, columnText } = useFullest(props);
  if (tokens === 0) return <span className="min-h-5" />;
  const share = limit === undefined ? undefined : Math.min(1, tokens / limit);
  return (
    <span
      title={`Context${columnText}: about ${limit === undefined ? counted(tokens, "token") : `${formatNumber(tokens)} of ${counted(limit, "token")}`}. ${ABOUT_TOKENS}`}
      className="flex min-h-5 items-center gap-2 text-xs text-ink-3 tabular-nums"
    >
      {share !== undefined && (
        <span aria-hidden className="h-1 w-13 overflow-hidden rounded-full bg-line-strong @max-[35rem]:hidden">
          {/* At least three pixels, so that a very small share is visible. */}
          <span className="block h-full min-w-0.75 rounded-full bg-ink-2" style={{ width: `${share * 100}%` }} />
        </span>
      )}
      <span>
        <span className="sr-only">Context{columnText}: about </span>
        {shortCount(tokens)}
        {limit === undefined ? ` ${tokens === 1 ? "token" : "tokens"} of context` : ` of ${shortCount(limit)} tokens`}
      </span>
    </span>
  );
}

/** A count as "940", "3.2k", "128k" or "1.1M". */
function shortCount(value: number): string {
  if (value < 1000) return formatNumber(value);
  const [divided, unit] = value < 999_500 ? [value / 1000, "k"] : [value / 1_000_000, "M"];
  return `${formatNumber(divided < 100 ? Number(divided.toFixed(1)) : Math.round(divided))}${unit}`;
}

/** A warning under the composer if the next message will not fit. */
export function ContextWarning(props: ContextProps) {
  const { tokens, limit, responseTokens, columnText, isOver } = useFullest(props);
  if (!isOver || limit === undefined) return null;
  return (
    <p role="status" className="m-0 mt-2 px-1 text-xs text-unconfirmed leading-snug tabular-nums">
      Context{columnText}: about {counted(tokens, "token")}
      {responseTokens > 0 && ` and up to ${formatNumber(responseTokens)} for the response`}, above this model’s limit of{" "}
      {formatNumber(limit)}. The service may reject the message or cut off the response.{" "}
      {tokens < limit ? "Lower Max tokens in the parameters." : "Start a new chat or shorten this one."}
    </p>
  );
}

/** Counted once for each state of a column, so that typing does not read all messages of a long chat again. */
const sizes = new WeakMap<Column, ContextSize>();

function sizeOf(column: Column): ContextSize {
  const path = () => visiblePath(column.thread).map(({ turn }) => turn);
  const size = sizes.get(column) ?? contextOfPath(column, path());
  sizes.set(column, size);
  return size;
}

const NOTHING: ColumnContext = { tokens: 0, responseTokens: undefined, limit: undefined };

/** The share of the context that is used, to compare columns. An unknown limit counts as a million tokens. */
function shareOf({ tokens, responseTokens = 0, limit }: ColumnContext): number {
  return (tokens + responseTokens) / (limit ?? 1_000_000);
}
