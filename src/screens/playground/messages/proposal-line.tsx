import { Layers } from "lucide-react";
import { useMemo, useState } from "react";
import { useChat } from "#chat/chat.ts";
import { readProposedRuns } from "#jobs/batch-rows/proposed-runs.ts";
import type { Recipe } from "#jobs/batch-rows/recipe.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { OpenProposal } from "./open-proposal.tsx";

/** The runs that an answer proposes, in a sentence, and the way into a batch; or what is wrong with them. */
export function ProposalLine({
  conversationId,
  text,
  subject,
  name,
  isCommanded,
}: {
  conversationId: string;
  /** Of a block, or the arguments of a call. */
  text: string;
  /** What proposes them: "This answer", "Block 2". */
  subject: string;
  /** Of its command. */
  name: string;
  isCommanded: boolean;
}) {
  const { conversations } = useChat();
  const { recipe, problem, problems = [] } = useMemo(() => readProposedRuns(text), [text]);
  const [isOpening, setIsOpening] = useState(false);
  const open = () => setIsOpening(true);
  useCommands(
    recipe && isCommanded
      ? [{ id: name, label: "Answer: open the proposed runs in Batch", group: "Message", icon: Layers, run: open }]
      : [],
  );
  const notes = recipe ? problems : [problem];
  return (
    <section
      aria-label="Proposed runs"
      className="flex min-h-[46px] flex-wrap items-center gap-x-3 gap-y-2 rounded-[10px] border border-line bg-panel px-3 py-2 text-[13px] leading-5"
    >
      <Layers aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      <div className="wrap-anywhere min-w-[18ch] flex-1">
        {recipe && (
          <p className="m-0 text-ink">
            {subject} proposes {runsInWords(recipe)}
          </p>
        )}
        {notes.slice(0, MOST_NOTES).map((note) => (
          <p key={note} className="m-0 text-ink-2">
            {visibleText(note)}
          </p>
        ))}
        {notes.length > MOST_NOTES && <p className="m-0 text-ink-2">And {notes.length - MOST_NOTES} more.</p>}
      </div>
      {recipe && (
        <Button size="sm" data-command={name} busy={isOpening} onClick={open} className="max-sm:w-full">
          Open in Batch
        </Button>
      )}
      {recipe && isOpening && (
        <OpenProposal
          recipe={recipe}
          conversation={conversations.get(conversationId)}
          onEnd={() => setIsOpening(false)}
        />
      )}
    </section>
  );
}

const MOST_NOTES = 3;
const MOST_NAMES = 3;

/** "6 runs with lumen-2 and lumen-2-pro". */
function runsInWords(recipe: Recipe): string {
  const models = new Set(
    recipe.groups.flatMap(({ runs = [], axes }) => [...(axes?.models ?? []), ...runs.map((run) => run.model)]),
  );
  const names = [...models].map((id) => visibleLine(id, 60));
  const more = names.length - MOST_NAMES;
  const shown = more > 1 ? [...names.slice(0, MOST_NAMES), `${more.toLocaleString("en-US")} more models`] : names;
  const count = recipe.groups.reduce((sum, group) => sum + countOf(group), 0);
  return `${count.toLocaleString("en-US")} ${count === 1 ? "run" : "runs"} with ${new Intl.ListFormat("en-US").format(shown)}`;
}

/** How many runs a group comes to: its axes, every value with every other or side by side, and what is listed beside them. */
function countOf({ axes, runs = [] }: Recipe["groups"][number]): number {
  if (!axes) return runs.length;
  const lengths = axes.parameters.map(({ values }) => values.length);
  const combined = axes.way === "zip" ? Math.max(1, ...lengths) : lengths.reduce((all, one) => all * one, 1);
  return axes.models.length * combined + runs.length;
}
