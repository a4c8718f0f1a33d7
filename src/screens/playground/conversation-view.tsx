import { clsx } from "clsx";
import { useState } from "react";
import type { Conversation } from "#chat/conversation.ts";
import { useCommands } from "#ui/command-store.ts";
import { Segmented } from "#ui/segmented.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { useDesk } from "./chat-context.ts";
import { ColumnPane } from "./column-pane.tsx";
import { Composer } from "./composer.tsx";
import { ConversationBar } from "./conversation-bar.tsx";
import { PlaygroundDialogs } from "./playground-dialogs.tsx";
import { DialogContext, type PlaygroundDialog } from "./use-dialog.ts";

/** One conversation: its columns side by side, on a phone one at a time, and the composer for all of them. */
export function ConversationView({ conversation }: { conversation: Conversation }) {
  const desk = useDesk();
  const isPhone = useIsPhone();
  const [dialog, setDialog] = useState<PlaygroundDialog>();
  const [shownId, setShownId] = useState<string>();
  const { columns, id } = conversation;
  const shown = columns.find((column) => column.id === shownId) ?? columns[0];
  useCommands([
    {
      id: "playground-stop",
      label: "Stop the answers",
      group: "Playground",
      keys: "esc",
      run: () => desk.answers.stop(id),
    },
    {
      id: "playground-list",
      label: "Show conversations",
      group: "Playground",
      run: () => setDialog({ kind: "conversations" }),
    },
  ]);
  return (
    <DialogContext value={setDialog}>
      <div className="flex h-full min-h-0 flex-col">
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
