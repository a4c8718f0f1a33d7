import { clsx } from "clsx";
import { Ellipsis, PanelLeft, Plus } from "lucide-react";
import { useState } from "react";
import { useChat } from "#chat/chat.ts";
import { type Conversation, createColumn, MOST_COLUMNS } from "#chat/conversation.ts";
import { exportMarkdown, exportName, exportWithPictures } from "#chat/conversation-export.ts";
import { visiblePath } from "#chat/thread.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { type Command, useCommands } from "#ui/command-store.ts";
import { Pill } from "#ui/indicators.tsx";
import { Menu } from "#ui/menu.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { ColumnPane } from "./column.tsx";
import { Composer } from "./composer.tsx";
import { PlaygroundDialogs } from "./playground-dialogs.tsx";
import { useStartingModel } from "./starting-model.ts";
import { DialogContext, type PlaygroundDialog, useDialog } from "./use-dialog.ts";

/** One conversation: its columns side by side, on a phone one at a time, and the composer for all of them. */
export function ConversationView({ conversation }: { conversation: Conversation }) {
  const isPhone = useIsPhone();
  const [dialog, setDialog] = useState<PlaygroundDialog>();
  const [shownId, setShownId] = useState<string>();
  const { columns, id } = conversation;
  const shown = columns.find((column) => column.id === shownId) ?? columns[0];
  return (
    <DialogContext value={setDialog}>
      <div className="flex h-full min-h-0 flex-col short:h-auto short:min-h-full">
        <ConversationBar conversation={conversation} />
        {isPhone && columns.length > 1 && (
          <div className="border-line border-b px-4 py-2">
            <Segmented
              label="Column"
              options={columns.map((column, index) => ({
                value: column.id,
                label: `${index + 1}: ${column.model || "no model"}`,
              }))}
              value={shown?.id}
              onChange={setShownId}
            />
          </div>
        )}
        <div className="grid min-h-0 flex-1 auto-cols-[minmax(0,1fr)] grid-flow-col grid-rows-[minmax(0,1fr)]">
          {columns.map((column, index) => (
            <section
              key={column.id}
              aria-label={`Column ${index + 1}: ${column.model || "no model"}`}
              className={clsx(
                "@container min-h-0 min-w-0 flex-col",
                !isPhone && "border-line not-last:border-r",
                isPhone && column !== shown ? "hidden" : "flex",
              )}
            >
              <h2 className="sr-only">
                Column {index + 1}: {column.model || "no model"}
              </h2>
              <ColumnPane conversationId={id} column={column} isOnly={columns.length === 1} />
            </section>
          ))}
        </div>
        {columns.some(({ isDocument }) => !isDocument) && <Composer conversation={conversation} />}
      </div>
      <PlaygroundDialogs conversation={conversation} dialog={dialog} onClose={() => setDialog(undefined)} />
    </DialogContext>
  );
}

/** The bar on top: the title, and what can be done with the whole conversation. */
function ConversationBar({ conversation }: { conversation: Conversation }) {
  const { conversations, accountId } = useChat();
  const openDialog = useDialog();
  const isPhone = useIsPhone();
  const start = useStartingModel();
  const { columns, id } = conversation;
  const answers = columns.flatMap(({ thread }) => visiblePath(thread).filter(({ turn }) => turn.role === "assistant"));
  const newest = answers.sort((a, b) => a.turn.createdAtMs - b.turn.createdAtMs).at(-1)?.turn;

  const addColumn = () => {
    const from = columns.at(-1);
    if (from) conversations.dispatch(id, { kind: "column-added", column: createColumn(from) });
  };
  // The log of a document's last continuation goes by the id of its column.
  const document = columns.find(({ isDocument }) => isDocument);
  const openLog = (tab: "wire" | "code") => openDialog({ kind: "requests", turnId: newest?.id ?? document?.id, tab });
  const startNew = (isTemporary: boolean) => {
    const first = columns[0];
    const asked = first ?? start;
    if (asked) conversations.start({ endpoint: asked.endpoint, model: asked.model }, { isTemporary });
  };

  const canAdd = columns.length < MOST_COLUMNS;
  const save = (kind: "json" | "md") => void saveConversationFile(accountId, conversation, kind);
  const group = "Conversation";
  const list = {
    id: "playground.list",
    label: "Conversations",
    group,
    icon: PanelLeft,
    run: () => openDialog({ kind: "conversations" }),
  };
  const fresh = {
    id: "playground.new",
    label: "New conversation",
    group,
    icon: Plus,
    keys: "n",
    run: () => startNew(false),
  };
  const log = { id: "playground.log", label: "Request log", group, run: () => openLog("wire") };
  const code = { id: "playground.code", label: "Code", group, run: () => openLog("code") };
  const add = {
    id: "playground.add-column",
    label: "Add column",
    group,
    ...(canAdd ? {} : { unavailable: `${MOST_COLUMNS} columns are the most` }),
    run: addColumn,
  };
  const rare: Command[] = [
    { id: "playground.temporary", label: "New temporary chat", group, run: () => startNew(true) },
    { id: "playground.export-json", label: "Export as JSON", group, run: () => save("json") },
    { id: "playground.export-markdown", label: "Export as Markdown", group, run: () => save("md") },
    { id: "playground.metrics", label: "Compare metrics", group, run: () => openDialog({ kind: "compare" }) },
  ];
  const inMenu: readonly Command[] = isPhone ? [fresh, log, code, add, ...rare] : rare;
  useCommands(inMenu);
  return (
    <PageBar title={isPhone ? shortened(conversation.title) : conversation.title}>
      {conversation.isTemporary && <Pill>Temporary, not saved</Pill>}
      <CommandButton isIcon variant="ghost" command={list} />
      {!isPhone && (
        <>
          <CommandButton isIcon variant="ghost" command={fresh} />
          <CommandButton size="sm" command={log} />
          <CommandButton size="sm" command={code} />
          <CommandButton size="sm" command={add} />
        </>
      )}
      <Menu
        label="More"
        icon={Ellipsis}
        align="end"
        items={inMenu.map((command) => ({
          label: command.label,
          command,
          disabled: command.unavailable !== undefined,
          onSelect: command.run,
        }))}
      />
    </PageBar>
  );
}

/** A long title would push the buttons of a phone onto a line of their own. */
function shortened(title: string): string {
  return title.length <= 28 ? title : `${title.slice(0, 27).trimEnd()}…`;
}

/** Saves a conversation as the browser's own download: all of it as JSON, or what is shown as Markdown. */
async function saveConversationFile(accountId: string, conversation: Conversation, kind: "json" | "md"): Promise<void> {
  const text = kind === "json" ? await exportWithPictures(accountId, conversation) : exportMarkdown(conversation);
  const type = kind === "json" ? "application/json" : "text/markdown";
  saveBlob(new Blob([text], { type }), exportName(conversation, kind));
}
