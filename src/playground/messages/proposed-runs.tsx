import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Layers } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { explainError } from "#api/explain-error.ts";
import { withGroup } from "#batch/rows/group-runs.ts";
import { openTemplate } from "#batch/rows/open-recipe.ts";
import { type Template, templateModels } from "#batch/rows/read-recipe.ts";
import { addBatch, editBatch, newBatch } from "#batch/runner/batch-edits.ts";
import { useApi } from "#connection/client.ts";
import { refuseToSave } from "#connection/find-key.ts";
import { formatNumber } from "#lib/numbers.ts";
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
import { responseCommands } from "../commands.ts";
import { messageLabel } from "./message-acts.ts";
import { proposedTexts, readProposal } from "./proposals.ts";

/**
 * Reserves the height of a proposal while the response is coming, so that nothing moves when it ends. Invisible, so that
 * it does not count as a layout shift when it moves down.
 */
function ProposalRoom() {
  return <div aria-hidden="true" data-runs-room className="invisible min-h-11.5 max-sm:min-h-27.5" />;
}

interface ProposedRunsProps {
  conversationId: string;
  /** Whether the response is still coming: an incomplete proposal cannot be read. */
  isComing: boolean;
  /** Whether the commands of the palette act on this response. */
  isCommanded: boolean;
}

/** The runs that the blocks of a response's text propose, one line for each block. */
export function ProposedRuns({ text, isComing, ...rest }: ProposedRunsProps & { text: string }) {
  const texts = useMemo(() => (isComing ? [] : proposedTexts(text)), [isComing, text]);
  const keyed = texts.map((block, index) => ({ block, index, key: `${index} ${block.length}` }));
  return (
    <div
      className={clsx(
        "flex flex-col gap-2 not-empty:mt-2 group-has-[[data-behind]]/message:invisible",
        isComing && "invisible",
      )}
    >
      {isComing && <ProposalRoom />}
      {keyed.map(({ block, index, key }) => (
        <ProposalLine
          key={key}
          {...rest}
          text={block}
          subject={texts.length === 1 ? "This response" : `Block ${index + 1}`}
          command={index === 0 ? responseCommands.batch : commandFor(responseCommands.laterBatch, String(index))}
        />
      ))}
    </div>
  );
}

/** The runs that a tool call proposes. `at`: its index among the response's calls that propose runs. */
export function RunsOfCall({ input, at, isComing, ...rest }: ProposedRunsProps & { input: string; at: number }) {
  if (isComing) return <ProposalRoom />;
  return (
    <ProposalLine
      {...rest}
      text={input}
      subject="This response"
      command={at === 0 ? responseCommands.batch : commandFor(responseCommands.laterBatch, `call-${at}`)}
    />
  );
}

/** Summarizes the proposed runs with a button to open them in a batch, or says what is wrong with them. */
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
  /** What proposes them: "This response", "Block 2". */
  subject: string;
  command: CommandInfo;
  isCommanded: boolean;
}) {
  const { conversations } = useChat();
  const { template, words, notes } = useMemo(() => readProposal(text), [text]);
  const [isOpening, setIsOpening] = useState(false);
  const open = () => setIsOpening(true);
  useCommands(template && isCommanded ? [{ ...command, label: messageLabel(command), icon: Layers, run: open }] : []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form, and this is none.
    <div
      role="group"
      aria-label="Proposed runs"
      className="flex min-h-11.5 flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-panel px-3 py-2 text-sm leading-normal"
    >
      <Layers aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      <div className="wrap-anywhere min-w-[18ch] flex-1">
        {template && (
          <p className="m-0 text-ink">
            {subject} proposes {words}.
          </p>
        )}
        {notes.slice(0, MAX_NOTES).map((note) => (
          <p key={note} className="m-0 text-ink-2">
            {visibleText(note)}
          </p>
        ))}
        {notes.length > MAX_NOTES && (
          <p className="m-0 text-ink-2">And {formatNumber(notes.length - MAX_NOTES)} more.</p>
        )}
      </div>
      {template && (
        <Button size="sm" data-command={command.id} busy={isOpening} onClick={open} className="max-sm:w-full">
          Open in Batch
        </Button>
      )}
      {template && isOpening && (
        <OpenProposal
          template={template}
          conversation={conversations.get(conversationId)}
          onEnd={() => setIsOpening(false)}
        />
      )}
    </div>
  );
}

/** Problems that are shown of one proposal. */
const MAX_NOTES = 3;

/**
 * Makes a batch of the proposed runs once their models are loaded, and opens it. The batch is a draft: nothing is sent.
 * It also includes models that the service does not list, and says so.
 */
function OpenProposal({
  template,
  conversation,
  onEnd,
}: {
  template: Template;
  conversation: Conversation | undefined;
  /** Called when the batch was opened, or could not be saved. */
  onEnd: () => void;
}) {
  const { accountId } = useChat();
  const navigate = useNavigate();
  const catalogue = useQuery(modelQueries(useApi()).ids());
  const modelIds = catalogue.data && new Set(catalogue.data);
  // Only schemas of listed models are requested: a response may contain any names.
  const wanted = templateModels(template).filter((id) => modelIds?.has(id));
  const schemas = useModelSchemas(wanted);
  const isReady = !catalogue.isPending && wanted.every((id) => (schemas.get(id)?.state ?? "loading") !== "loading");
  const isMade = useRef(false);
  useEffect(() => {
    if (!isReady || isMade.current) return;
    isMade.current = true;
    const opened = openTemplate(template, { modelIds, schemas });
    const title = conversation?.title === NEW_TITLE ? undefined : conversation?.title;
    const batch = opened.groups.reduce(
      (all, { group, runs }) => withGroup(all, { ...group, kind: "chat" }, runs),
      newBatch(template.name || title || "Proposed runs"),
    );
    const open = async () => {
      if (!refuseToSave(batch, "batch")) {
        await save(accountId, batch, conversation?.projectId);
        if (opened.notes.length > 0) {
          toast({
            tone: "warning",
            title: "Some runs differ from the proposal",
            body: opened.notes.slice(0, 3).join(" "),
          });
        }
        await navigate({ to: "/batch/$batchId", params: { batchId: batch.id }, search: {} });
      }
    };
    open().catch(toastNotSaved).finally(onEnd);
  });
  return null;
}

async function save(accountId: string, batch: Batch, projectId: string | undefined): Promise<void> {
  const storage = { rows: browserRows, accountId };
  await addBatch(storage, batch);
  // A new batch gets the current project, which may not be that of the chat.
  if (projectId !== undefined) await editBatch(storage, batch.id, (stored) => ({ ...stored, projectId }));
}

function toastNotSaved(error: unknown): void {
  const { body, nextStep } = explainError(error, "read");
  const why = error instanceof Error && error.name === "BatchFullError" ? error.message : `${body} ${nextStep}`;
  toast({ tone: "error", title: "Couldn’t save the batch", body: why });
}
