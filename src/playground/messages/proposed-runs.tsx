import { clsx } from "clsx";
import { useMemo } from "react";
import { proposedTexts } from "#text/proposal.ts";
import { commandFor } from "#ui/commands.ts";
import { answerCommands } from "../commands.ts";
import { ProposalLine } from "./proposal-line.tsx";

/**
 * Space for the usual line while an answer is coming, so that nothing moves at the end of the answer. Invisible, so that it
 * does not count as something that moves down with each line of the answer.
 */
function ProposalRoom() {
  return <div aria-hidden="true" data-runs-room className="invisible min-h-[46px] max-sm:min-h-[110px]" />;
}

interface ProposedRunsProps {
  conversationId: string;
  /** Nothing can be said of runs before all of them are there. */
  isComing: boolean;
  /** The commands of the palette are for this answer. */
  isCommanded: boolean;
}

/** The runs that the blocks of an answer's text propose, a line for each block. */
export function ProposedRuns({ text, isComing, ...rest }: ProposedRunsProps & { text: string }) {
  const texts = useMemo(() => (isComing ? [] : proposedTexts(text)), [isComing, text]);
  const keyed = texts.map((one, at) => ({ one, at, key: `${at} ${one.length}` }));
  return (
    <div
      className={clsx(
        "flex flex-col gap-2 not-empty:mt-2 group-has-[[data-behind]]/message:invisible",
        isComing && "invisible",
      )}
    >
      {isComing && <ProposalRoom />}
      {keyed.map(({ one, at, key }) => (
        <ProposalLine
          key={key}
          {...rest}
          text={one}
          subject={texts.length === 1 ? "This answer" : `Block ${at + 1}`}
          command={at === 0 ? answerCommands.batch : commandFor(answerCommands.laterBatch, String(at))}
        />
      ))}
    </div>
  );
}

/** The runs that a call of a tool proposes. `at`: which of the answer's parts it is. */
export function RunsOfCall({ input, at, isComing, ...rest }: ProposedRunsProps & { input: string; at: number }) {
  if (isComing) return <ProposalRoom />;
  return (
    <ProposalLine
      {...rest}
      text={input}
      subject="This answer"
      command={at === 0 ? answerCommands.batch : commandFor(answerCommands.laterBatch, `call-${at}`)}
    />
  );
}
