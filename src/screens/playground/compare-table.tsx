import type { ReactNode } from "react";
import { type AnswerFacts, tokensPerSecond } from "#chat/answer-facts.ts";
import { useChat } from "#chat/chat-desk.ts";
import type { Column } from "#chat/conversation.ts";
import { spreadOf } from "#chat/spread.ts";
import { formatDollars } from "#chat/text-price.ts";
import { findTurn, visiblePath } from "#chat/thread.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { useDesk } from "./chat-context.ts";
import type { DialogBodyProps } from "./playground-dialogs.tsx";
import { RepeatForm } from "./repeat-form.tsx";
import { useAnswerCost } from "./stats-line.tsx";

interface Row {
  label: string;
  read: (facts: AnswerFacts) => number | undefined;
  write: (value: number) => string;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const whole = (value: number) => Math.round(value).toLocaleString("en-US");

const ROWS: readonly Row[] = [
  { label: "To the first token", read: (facts) => facts.firstTokenMs, write: seconds },
  { label: "Whole answer", read: (facts) => facts.totalMs, write: seconds },
  { label: "Tokens a second", read: tokensPerSecond, write: whole },
  { label: "Tokens out", read: (facts) => facts.outputTokens, write: whole },
  { label: "Tokens in", read: (facts) => facts.inputTokens, write: whole },
  { label: "Read from cache", read: (facts) => facts.cachedTokens, write: whole },
  { label: "Written to cache", read: (facts) => facts.cacheWriteTokens, write: whole },
  { label: "Reasoning", read: (facts) => facts.reasoningTokens, write: whole },
];

/** The newest answer of each column side by side, and how far its versions spread. */
export function CompareTable({ conversation }: DialogBodyProps<"compare">) {
  const desk = useDesk();
  const isRunning = useChat(desk, ({ runs }) =>
    Object.values(runs).some(({ conversationId }) => conversationId === conversation.id),
  );
  const columns = conversation.columns.flatMap((column) => {
    const versions = versionFacts(column);
    return versions.length === 0 ? [] : [{ column, versions }];
  });
  if (columns.length === 0) {
    return <EmptyState title="Nothing measured yet">Ask something first. Every answer is measured.</EmptyState>;
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
              Measure
            </th>
            {columns.map(({ column, versions }) => (
              <th key={column.id} scope="col" className="border-line border-b py-1.5 pr-3 font-medium">
                {column.model} <span className="font-normal text-ink-3">{column.endpoint}</span>
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
                {versions.at(-1)?.stopReason ?? "not told"}
              </td>
            ))}
          </Line>
          <Line label="Cost of the newest">
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
  return <td className="border-line border-b py-1.5 pr-3">{cost === undefined ? "not told" : formatDollars(cost)}</td>;
}

/** What was measured of all versions of a column's newest answer, oldest first. */
function versionFacts({ thread }: Column): AnswerFacts[] {
  const newest = visiblePath(thread).findLast(({ turn }) => turn.role === "assistant");
  return (newest?.versions ?? []).flatMap((id) => findTurn(thread, id)?.facts ?? []);
}

function spreadText(values: readonly number[], write: (value: number) => string): string {
  const spread = spreadOf(values);
  if (spread === undefined) return "not told";
  if (values.length === 1) return write(spread.median);
  return `${write(spread.median)} (${write(spread.lowest)} to ${write(spread.highest)})`;
}
