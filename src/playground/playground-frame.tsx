import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { PanelLeft, Plus } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useApi } from "#connection/client.ts";
import { getConnection, useConnection } from "#connection/connection-store.ts";
import { RequestLogView } from "#connection/request-log-view.tsx";
import { visibleLine } from "#lib/visible-text.ts";
import { modelCommands } from "#models/commands.ts";
import { ModelPickerBody } from "#models/model-picker.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { getSchemaPlace } from "#schema-form/read/reading-hints.ts";
import { loadDraft, saveDraft } from "#storage/drafts.ts";
import { useChat, useChatState } from "#text/chat.ts";
import type { Conversation } from "#text/conversations/conversation.ts";
import { getRequestLog, loadRequestLog, MAX_STORED_LOGS } from "#text/request-log.ts";
import { type Command, type CommandInfo, commandFor, useCommands } from "#ui/commands.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { toast } from "#ui/toast-store.ts";
import { MetricsTable } from "./columns/metrics-table.tsx";
import { replayCode } from "./columns/replay-code.ts";
import { TextModelPicker } from "./columns/text-model-picker.tsx";
import { ScoreBoard } from "./columns/vote-bar.tsx";
import { playgroundCommands, responseCommands } from "./commands.ts";
import { PickPicture } from "./composer/attach-picture.tsx";
import { MoveConversation, RenameConversation } from "./conversations/conversation-dialogs.tsx";
import { ConversationDock } from "./conversations/conversation-dock.tsx";
import { DOCK_TITLES, DockFrame, type DockSide, useDock, useDockRoom } from "./docks.tsx";
import { useNewConversation } from "./new-conversation.ts";
import { SaveSnippet, SnippetDialog } from "./snippets/snippet-dialogs.tsx";
import { type DialogBodyProps, DialogContext, type PlaygroundDialog } from "./use-dialog.ts";

/** The screen around a chat: the list at its start, the parameters at its end, and the dialogs. */
export function PlaygroundFrame({
  conversation,
  parameters,
  children,
}: {
  conversation: Conversation | undefined;
  /** The contents of the dock at the end; absent where there is nothing to set. */
  parameters?: ReactNode;
  children: ReactNode;
}) {
  const [dialog, setDialog] = useState<PlaygroundDialog>();
  const frame = useRef<HTMLDivElement>(null);
  useDockRoom(frame, conversation?.columns.length ?? 1);
  return (
    <DialogContext value={setDialog}>
      <FrameCommands hasParameters={parameters !== undefined} />
      <div ref={frame} className="flex h-full min-h-0 short:h-auto short:min-h-full">
        <DockFrame side="conversations">
          <ConversationDock />
        </DockFrame>
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
        {parameters !== undefined && <DockFrame side="parameters">{parameters}</DockFrame>}
      </div>
      <PlaygroundDialogs conversation={conversation} dialog={dialog} onClose={() => setDialog(undefined)} />
    </DialogContext>
  );
}

/** Chats that the palette offers by their titles. */
const MAX_OFFERED = 30;

/** The commands for the docks and the list, also while the list is closed. */
function FrameCommands({ hasParameters }: { hasParameters: boolean }) {
  const docks = { conversations: useDock("conversations"), parameters: useDock("parameters") };
  const navigate = useNavigate();
  const summaries = useChatState((state) => state.summaries);
  const current = useChatState((state) => state.current);
  const startNew = useNewConversation();
  const toggle = (side: DockSide, command: CommandInfo): Command => {
    const { state, open, close } = docks[side];
    const isOpen = state !== "closed";
    return {
      ...command,
      ...(isOpen && { label: `Hide ${DOCK_TITLES[side].toLowerCase()}` }),
      run: isOpen ? close : open,
    };
  };
  const search = () => {
    docks.conversations.open();
    // After a moment, because a sheet that opens takes the focus first.
    setTimeout(() => document.querySelector<HTMLElement>("[data-conversation-search]")?.focus());
  };
  const isListClosed = docks.conversations.state === "closed";
  const offered = (summaries ?? []).filter(({ id, isTemporary }) => id !== current?.id && !isTemporary);
  useCommands([
    { ...toggle("conversations", playgroundCommands.list), icon: PanelLeft },
    { ...playgroundCommands.search, run: search },
    ...(hasParameters ? [toggle("parameters", playgroundCommands.parameters)] : []),
    // The open dock has these commands itself.
    ...(isListClosed
      ? [
          { ...playgroundCommands.new, icon: Plus, run: () => startNew() },
          {
            ...playgroundCommands.temporary,
            run: () => startNew({ isTemporary: true }),
          },
        ]
      : []),
    ...offered.slice(0, MAX_OFFERED).map(({ id, title }) => ({
      ...commandFor(playgroundCommands.open, id),
      label: `Open “${visibleLine(title, 60)}”`,
      run: () => void navigate({ to: "/playground/$place", params: { place: id } }),
    })),
  ]);
  return null;
}

const TITLES: Record<PlaygroundDialog["kind"], string> = {
  model: modelCommands.choose.label,
  requests: playgroundCommands.log.label,
  compare: playgroundCommands.metrics.label,
  prompt: responseCommands.prompt.label,
  picture: playgroundCommands.attachHistory.label,
  rename: playgroundCommands.rename.label,
  move: playgroundCommands.move.label,
  snippets: playgroundCommands.snippets.label,
  "save-snippet": responseCommands.snippet.label,
  scores: playgroundCommands.scores.label,
};

const WIDE = new Set<PlaygroundDialog["kind"]>(["requests", "compare", "picture"]);
const AT_TOP = new Set<PlaygroundDialog["kind"]>(["model", "snippets", "move"]);

/** The one dialog of the playground, with the content that was asked for. */
function PlaygroundDialogs({
  conversation,
  dialog,
  onClose,
}: {
  /** Undefined where none is open. Then only the dialogs for other chats work. */
  conversation: Conversation | undefined;
  dialog: PlaygroundDialog | undefined;
  onClose: () => void;
}) {
  // The content is still shown while the dialog fades out.
  const [last, setLast] = useState(dialog);
  if (dialog !== undefined && dialog !== last) setLast(dialog);
  return (
    <Dialog
      open={dialog !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={TITLES[last?.kind ?? "model"]}
      size={last && WIDE.has(last.kind) ? "lg" : last?.kind === "rename" ? "sm" : "md"}
      atTop={last !== undefined && AT_TOP.has(last.kind)}
    >
      {last?.kind === "rename" ? (
        <RenameConversation dialog={last} onClose={onClose} />
      ) : last?.kind === "move" ? (
        <MoveConversation dialog={last} onClose={onClose} />
      ) : (
        last && conversation && <DialogBody conversation={conversation} dialog={last} onClose={onClose} />
      )}
    </Dialog>
  );
}

function DialogBody({
  dialog,
  ...rest
}: {
  conversation: Conversation;
  dialog: Exclude<PlaygroundDialog, { kind: "rename" | "move" }>;
  onClose: () => void;
}): ReactNode {
  switch (dialog.kind) {
    case "model":
      return <TextModelPicker dialog={dialog} {...rest} />;
    case "requests":
      return <RequestLogPanel dialog={dialog} {...rest} />;
    case "compare":
      return <MetricsTable dialog={dialog} {...rest} />;
    case "prompt":
      return <PromptToCreate dialog={dialog} {...rest} />;
    case "picture":
      return <PickPicture dialog={dialog} {...rest} />;
    case "snippets":
      return <SnippetDialog dialog={dialog} {...rest} />;
    case "save-snippet":
      return <SaveSnippet dialog={dialog} {...rest} />;
    case "scores":
      return <ScoreBoard />;
  }
}

const STORED = `The latest ${MAX_STORED_LOGS} requests are saved in this browser, without the key, until their chat is deleted.`;
const TEMPORARY = "This chat is temporary. Its requests are lost when you close or reload this tab.";

/** The requests and events of one response, and code that sends the same request with the official clients. */
function RequestLogPanel({ conversation, dialog }: DialogBodyProps<"requests">) {
  const { accountId } = useChat();
  const usesApiKeyHeader = useConnection()?.usesApiKeyHeader;
  const { turnId } = dialog;
  const inMemory = turnId === undefined ? undefined : getRequestLog(turnId);
  const isStored = inMemory === undefined && turnId !== undefined;
  const { data: stored, isLoading } = useQuery({
    queryKey: ["request-log", accountId, turnId],
    queryFn: isStored ? async () => (await loadRequestLog(accountId, turnId)) ?? null : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const log = inMemory ?? stored ?? undefined;
  const last = log?.exchanges.at(-1);
  if (isLoading) return <Skeleton className="h-40 w-full" />;
  return (
    <RequestLogView
      exchanges={log?.exchanges ?? []}
      startTab={dialog.tab}
      note={log && (conversation.isTemporary ? TEMPORARY : STORED)}
      missing={`${conversation.isTemporary ? TEMPORARY : STORED} Send a message to see its request here.`}
      replay={
        log && last
          ? (language) => replayCode(language, { ...last.request, endpoint: log.endpoint, usesApiKeyHeader })
          : undefined
      }
    />
  );
}

/** Asks which generation model the text is for, puts it into that model's draft as the prompt, and opens Create. */
function PromptToCreate({ dialog, onClose }: DialogBodyProps<"prompt">) {
  const accountId = useConnection()?.accountId ?? "";
  const queries = modelQueries(useApi());
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpening, setIsOpening] = useState(false);
  const isOpeningNow = useRef(false);
  const open = async (modelId: string) => {
    if (isOpeningNow.current) return;
    isOpeningNow.current = true;
    setIsOpening(true);
    try {
      const detail = await client.ensureQueryData(queries.detail(modelId)).catch(() => undefined);
      const draft = (await loadDraft(accountId, modelId))?.payload ?? {};
      const name = detail === undefined ? "prompt" : promptField(detail.raw);
      if (name === undefined) {
        toast({ title: `${visibleLine(modelId)} has no prompt field`, body: "Choose another model.", tone: "error" });
        return;
      }
      await saveDraft(accountId, modelId, { ...draft, [name]: dialog.text });
      onClose();
      await navigate({ to: "/create/$modelId", params: { modelId } });
    } finally {
      isOpeningNow.current = false;
      setIsOpening(false);
    }
  };
  return (
    <div aria-busy={isOpening}>
      <ModelPickerBody selected={[]} onSelect={(id) => void open(id)} />
    </div>
  );
}

/** The key of the field for the prompt: `prompt` without a readable schema, undefined where a model has none. */
function promptField(response: unknown): string | undefined {
  const { fields, reading } = readSchema(response, { place: getSchemaPlace(getConnection()?.queueBaseUrl) });
  if (reading === "none") return "prompt";
  return fields.find((field) => field.role === "prompt")?.key;
}
