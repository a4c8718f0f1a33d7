import { visibleLine } from "#lib/visible-text.ts";
import { resetScores, type Score, useScores } from "#text/conversations/blind-comparison.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";

const COLUMNS: readonly TableColumn<Score>[] = [
  { name: "Model", isRowHeader: true, cellClass: () => "wrap-anywhere", cell: ({ model }) => visibleLine(model) },
  { name: "Won", isNumeric: true, cell: ({ won }) => won.toLocaleString("en-US") },
  { name: "Lost", isNumeric: true, cell: ({ lost }) => lost.toLocaleString("en-US") },
  { name: "Tie", isNumeric: true, cell: ({ tied }) => tied.toLocaleString("en-US") },
  { name: "All bad", isNumeric: true, cell: ({ none }) => none.toLocaleString("en-US") },
];

/** How often each model won, lost or tied in the blind comparisons of this browser. */
export function ScoreBoard() {
  const scores = useScores((state) => state.scores);
  if (scores.length === 0) {
    return <EmptyState title="No votes yet">Votes of blind comparisons are counted here.</EmptyState>;
  }
  const sorted = [...scores].sort((a, b) => b.won - a.won || a.lost - b.lost);
  return (
    <div className="flex flex-col gap-3">
      <Table columns={COLUMNS} rows={sorted} keyOf={({ model }) => model} />
      <p className="m-0 text-[12px] text-ink-3">Votes are stored in this browser only.</p>
      <Button size="sm" className="self-start" onClick={resetScores}>
        Reset the scoreboard
      </Button>
    </div>
  );
}
