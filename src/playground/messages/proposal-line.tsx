import { Layers } from "lucide-react";
import { useMemo, useState } from "react";
import { visibleText } from "#lib/visible-text.ts";
import { useChat } from "#text/chat.ts";
import { Button } from "#ui/button.tsx";
import { type CommandInfo, useCommands } from "#ui/commands.ts";
import { messageLabel } from "./message-acts.ts";
import { OpenProposal } from "./open-proposal.tsx";
import { readProposal } from "./proposal-summary.ts";

/** The runs that an answer proposes, in a sentence, and the way into a batch; or what is wrong with them. */
export function ProposalLine({
  conversationId,
  text,
  subject,
  command,
  isCommanded,
}: {
  conversationId: string;
  /** Of a block, or the arguments of a call. */
  text: string;
  /** What proposes them: "This answer", "Block 2". */
  subject: string;
  command: CommandInfo;
  isCommanded: boolean;
}) {
  const { conversations } = useChat();
  const { recipe, words, notes } = useMemo(() => readProposal(text), [text]);
  const [isOpening, setIsOpening] = useState(false);
  const open = () => setIsOpening(true);
  useCommands(recipe && isCommanded ? [{ ...command, label: messageLabel(command), icon: Layers, run: open }] : []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's.
    <div
      role="group"
      aria-label="Proposed runs"
      className="flex min-h-[46px] flex-wrap items-center gap-x-3 gap-y-2 rounded-[10px] border border-line bg-panel px-3 py-2 text-[13px] leading-5"
    >
      <Layers aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      <div className="wrap-anywhere min-w-[18ch] flex-1">
        {recipe && (
          <p className="m-0 text-ink">
            {subject} proposes {words}.
          </p>
        )}
        {notes.slice(0, MAX_NOTES).map((note) => (
          <p key={note} className="m-0 text-ink-2">
            {visibleText(note)}
          </p>
        ))}
        {notes.length > MAX_NOTES && <p className="m-0 text-ink-2">And {notes.length - MAX_NOTES} more.</p>}
      </div>
      {recipe && (
        <Button size="sm" data-command={command.id} busy={isOpening} onClick={open} className="max-sm:w-full">
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
    </div>
  );
}

const MAX_NOTES = 3;
