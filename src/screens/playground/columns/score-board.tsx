import { resetScores, useScores } from "#chat/conversations/blind-comparison.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";

const COLUMNS = [
  { name: "won", label: "Won" },
  { name: "lost", label: "Lost" },
  { name: "tied", label: "Tie" },
  { name: "none", label: "All bad" },
] as const;

/** How often each model won, lost or tied in the blind comparisons of this browser. */
export function ScoreBoard() {
  const scores = useScores((state) => state.scores);
  if (scores.length === 0) {
    return <EmptyState title="No votes yet">Votes of blind comparisons are counted here.</EmptyState>;
  }
  const sorted = [...scores].sort((a, b) => b.won - a.won || a.lost - b.lost);
  return (
    <div className="flex flex-col gap-3">
      <table className="w-full border-collapse text-left tabular-nums">
        <thead>
          <tr className="text-[12.5px] text-ink-3">
            <th scope="col" className="border-line border-b py-1.5 pr-3 font-medium">
              Model
            </th>
            {COLUMNS.map(({ name, label }) => (
              <th key={name} scope="col" className="border-line border-b py-1.5 pl-3 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((score) => (
            <tr key={score.model}>
              <th scope="row" className="wrap-anywhere border-line border-b py-1.5 pr-3 font-normal">
                {visibleLine(score.model)}
              </th>
              {COLUMNS.map(({ name }) => (
                <td key={name} className="border-line border-b py-1.5 pl-3 text-right">
                  {score[name].toLocaleString("en-US")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="m-0 text-[12px] text-ink-3">Votes are stored in this browser only.</p>
      <Button size="sm" className="self-start" onClick={resetScores}>
        Reset the scoreboard
      </Button>
    </div>
  );
}
