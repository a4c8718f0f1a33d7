import { useState } from "react";
import { formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useChat } from "#text/chat.ts";
import {
  countVote,
  getColumnLetter,
  isBlind,
  readScores,
  resetScores,
  type Score,
  shownColumns,
  shuffled,
  type Vote,
} from "#text/conversations/blind-comparison.ts";
import { type Conversation, visiblePath } from "#text/conversations/conversation.ts";
import { Button } from "#ui/button.tsx";
import { type Command, type CommandInfo, useCommands } from "#ui/commands.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { playgroundCommands } from "../commands.ts";
import { useDialog } from "../use-dialog.ts";
import { useIsBusy } from "./column-acts.ts";

const { voteA, voteB, voteC, voteD, voteNone } = playgroundCommands;
/** The vote command for each column, by its index. */
const VOTES = [voteA, voteB, voteC, voteD];

/**
 * The line above the composer during a blind comparison. It has the vote once all columns have responded, and then shows
 * which model was which. The vote ends the round; the person starts the next one.
 */
export function VoteBar({ conversation }: { conversation: Conversation }) {
  const { conversations } = useChat();
  const openDialog = useDialog();
  const isBusy = useIsBusy(conversation.id);
  const { id, blind } = conversation;
  const columns = shownColumns(conversation);
  const isHidden = isBlind(conversation);
  const hasResponded = columns.every(({ thread }) => visiblePath(thread).at(-1)?.turn.role === "assistant");
  const canVote = hasResponded && !isBusy;
  const whyNoVote = isBusy ? "Wait for all responses" : hasResponded ? undefined : "Send a message first";
  const vote = (choice: Vote) => {
    if (!canVote) return;
    countVote(columns, choice);
    conversations.dispatch(id, { kind: "blind-changed", blind: { ...shuffled([]), ...blind, isRevealed: true } });
  };
  const act = (command: CommandInfo, run: () => void, isVote: boolean): Command => ({
    ...command,
    ...(isVote && whyNoVote !== undefined ? { unavailable: whyNoVote } : {}),
    run,
  });
  const votes = [
    ...columns.flatMap((column, index) => {
      const command = VOTES[index];
      return command ? [act(command, () => vote(column.id), true)] : [];
    }),
    act(playgroundCommands.voteTie, () => vote("tie"), true),
    act(columns.length === 2 ? voteNone : { ...voteNone, label: "All are bad" }, () => vote("none"), true),
  ];
  const nextRound = act(
    playgroundCommands.nextRound,
    () => conversations.dispatch(id, { kind: "blind-changed", blind: shuffled(columns) }),
    false,
  );
  const scores = act(playgroundCommands.scores, () => openDialog({ kind: "scores" }), false);
  const end = act(
    playgroundCommands.endBlind,
    () => conversations.dispatch(id, { kind: "blind-changed", blind: undefined }),
    false,
  );
  const shown = isHidden ? [...votes, end] : [nextRound, scores, end];
  useCommands(blind === undefined ? [] : shown);
  if (blind === undefined || columns.length < 2) return null;
  return (
    <section
      aria-label="Blind comparison"
      className="mx-auto mb-2 flex w-full max-w-180 flex-wrap items-center gap-2 text-sm"
    >
      <p role="status" className="m-0 me-auto min-w-0 text-ink-2">
        {isHidden
          ? (whyNoVote ?? "Which response is better?")
          : columns.map(({ model }, index) => `${getColumnLetter(index)}: ${visibleLine(model, 40)}`).join(", ")}
      </p>
      {shown.map(({ id: command, label, unavailable, run }) => (
        <Button
          key={command}
          size="sm"
          variant={command === end.id ? "ghost" : "outline"}
          data-command={command}
          aria-disabled={unavailable !== undefined}
          title={unavailable}
          onClick={run}
        >
          {label}
        </Button>
      ))}
    </section>
  );
}

const COLUMNS: readonly TableColumn<Score>[] = [
  { name: "Model", isRowHeader: true, cellClass: () => "wrap-anywhere", cell: ({ model }) => visibleLine(model) },
  { name: "Won", isNumeric: true, cell: ({ won }) => formatNumber(won) },
  { name: "Lost", isNumeric: true, cell: ({ lost }) => formatNumber(lost) },
  { name: "Tie", isNumeric: true, cell: ({ tied }) => formatNumber(tied) },
  { name: "All bad", isNumeric: true, cell: ({ none }) => formatNumber(none) },
];

/** How often each model won, lost or tied in the blind comparisons of this browser. */
export function ScoreBoard() {
  // Read once, because nobody can vote while the dialog is open.
  const [scores, setScores] = useState(readScores);
  const reset = () => {
    resetScores();
    setScores([]);
  };
  if (scores.length === 0) {
    return <EmptyState title="No votes yet">Votes from blind comparisons appear here.</EmptyState>;
  }
  const sorted = [...scores].sort((a, b) => b.won - a.won || a.lost - b.lost);
  return (
    <div className="flex flex-col gap-3">
      <Table columns={COLUMNS} rows={sorted} keyOf={({ model }) => model} />
      <p className="m-0 text-xs text-ink-3">Votes are saved in this browser only.</p>
      <Button size="sm" className="self-start" onClick={reset}>
        Reset scoreboard
      </Button>
    </div>
  );
}
