import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Layers } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { explainError } from "#api/explain-error.ts";
import { withGroup } from "#batch/rows/group-runs.ts";
import { openRecipe } from "#batch/rows/open-recipe.ts";
import { type Recipe, recipeModels } from "#batch/rows/read-recipe.ts";
import { addBatch, editBatch, newBatch } from "#batch/runner/batch-edits.ts";
import { useApi } from "#connection/client.ts";
import { refuseToSave } from "#connection/find-key.ts";
import { visibleText } from "#lib/visible-text.ts";
import { modelQueries } from "#models/model-queries.ts";
import { useModelSchemas } from "#schema-form/use-model-schemas.ts";
import { browserRows } from "#storage/database.ts";
import type { Batch } from "#storage/stored-batches.ts";
import { useChat } from "#text/chat.ts";
import { type Conversation, NEW_TITLE } from "#text/conversations/conversation.ts";
import { Button } from "#ui/button.tsx";
import { type CommandInfo, commandFor, useCommands } from "#ui/commands.ts";
import { toast } from "#ui/toast-store.ts";
import { answerCommands } from "../commands.ts";
import { messageLabel } from "./message-acts.ts";
import { proposedTexts, readProposal } from "./proposals.ts";

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

/** The runs that an answer proposes, in a sentence, and the way into a batch; or what is wrong with them. */
function ProposalLine({
  conversationId,
  text,
  subject,
  command,
  isCommanded,
}: {
  conversationId: string;
  /** The text of a block, or the arguments of a call. */
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

/**
 * Makes a batch of proposed runs once their models are loaded, and opens it: a draft, of which nothing is sent. A model that
 * the catalogue does not list stays as it is; the batch says so.
 */
function OpenProposal({
  recipe,
  conversation,
  onEnd,
}: {
  recipe: Recipe;
  conversation: Conversation | undefined;
  /** It is opened, or was not saved. */
  onEnd: () => void;
}) {
  const { accountId } = useChat();
  const navigate = useNavigate();
  const catalogue = useQuery(modelQueries(useApi()).ids());
  const modelIds = catalogue.data && new Set(catalogue.data);
  // Names in an answer are no reason to ask the service about them: only of models that it lists.
  const wanted = recipeModels(recipe).filter((id) => modelIds?.has(id));
  const schemas = useModelSchemas(wanted);
  const isReady = !catalogue.isPending && wanted.every((id) => (schemas.get(id)?.state ?? "loading") !== "loading");
  const isMade = useRef(false);
  useEffect(() => {
    if (!isReady || isMade.current) return;
    isMade.current = true;
    const opened = openRecipe(recipe, { modelIds, schemas });
    const title = conversation?.title === NEW_TITLE ? undefined : conversation?.title;
    const batch = opened.groups.reduce(
      (all, { group, runs }) => withGroup(all, { ...group, kind: "chat" }, runs),
      newBatch(recipe.name || title || "Proposed runs"),
    );
    const open = async () => {
      if (!refuseToSave(batch, "batch")) {
        await save(accountId, batch, conversation?.projectId);
        if (opened.notes.length > 0) {
          toast({ tone: "warning", title: "Not everything is as proposed", body: opened.notes.slice(0, 3).join(" ") });
        }
        await navigate({ to: "/batch/$batchId", params: { batchId: batch.id }, search: {} });
      }
    };
    open().catch(sayNotSaved).finally(onEnd);
  });
  return null;
}

async function save(accountId: string, batch: Batch, projectId: string | undefined): Promise<void> {
  const where = { rows: browserRows, accountId };
  await addBatch(where, batch);
  // A new batch is stored under the current project, which may be another.
  if (projectId !== undefined) await editBatch(where, batch.id, (stored) => ({ ...stored, projectId }));
}

function sayNotSaved(error: unknown): void {
  const { body, nextStep } = explainError(error, "read");
  const why = error instanceof Error && error.name === "BatchFullError" ? error.message : `${body} ${nextStep}`;
  toast({ tone: "error", title: "The batch was not saved", body: why });
}
