import { ChevronDown, Code, ScrollText, X } from "lucide-react";
import { memo } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import { modelCommands } from "#models/commands.ts";
import { getCapabilities } from "#text/answer-request.ts";
import { useChat } from "#text/chat.ts";
import type { Column } from "#text/conversations/conversation.ts";
import { IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Pill } from "#ui/indicators.tsx";
import { playgroundCommands } from "../commands.ts";
import { useDock } from "../docks.tsx";
import { MessagePane } from "../messages/message-pane.tsx";
import { useDialog } from "../use-dialog.ts";
import { removeColumn, useColumnCommand, useIsResponding, useOpenLog, WAIT } from "./column-acts.ts";
import { DocumentPane } from "./document-pane.tsx";

interface ColumnProps {
  conversationId: string;
  column: Column;
  isOnly: boolean;
  /** Whether it is the active one of several columns: the parameters are for it. */
  isActive: boolean;
  /** The letter that stands for the model while columns are compared blind. */
  hiddenAs: string | undefined;
}

/** One column: its model, and below it the messages or the document. */
export const ColumnPane = memo(function ColumnPane(props: ColumnProps) {
  const { conversationId, column, hiddenAs } = props;
  return (
    <>
      {hiddenAs === undefined ? (
        <ColumnHead {...props} />
      ) : (
        <header className="mx-auto flex min-h-11.5 w-full max-w-189 items-center px-4.5 pt-3 pb-1.5 font-semibold max-sm:px-4">
          {hiddenAs}
        </header>
      )}
      {column.isDocument && column.endpoint === "completions" ? (
        <DocumentPane key={column.id} conversationId={conversationId} column={column} />
      ) : (
        <MessagePane conversationId={conversationId} column={column} />
      )}
    </>
  );
});

/** The model, its endpoint, and the buttons of the column. A single column has them in the parameters dock instead. */
function ColumnHead({ conversationId, column, isOnly, isActive }: ColumnProps) {
  const chat = useChat();
  const openDialog = useDialog();
  const parameters = useDock("parameters");
  const isRunning = useIsResponding(column.id);
  const { id, endpoint, model } = column;
  const capabilities = getCapabilities(chat.accountId, column);
  const columnCommand = useColumnCommand(column);
  const { log, code } = useOpenLog(column);
  const choose = {
    ...columnCommand(modelCommands.choose),
    run: () => openDialog({ kind: "model", columnId: id }),
    detail: isOnly && model ? `now ${visibleLine(model)}` : undefined,
  };
  const remove = {
    ...columnCommand(playgroundCommands.removeColumn),
    run: () => removeColumn({ conversations: chat.conversations, conversationId, columnId: id }),
    icon: X,
    ...(isRunning ? { unavailable: WAIT } : {}),
  };
  const chooseProps = useCommandProps(choose);
  useCommands([choose, log, code, ...(isOnly ? [] : [remove])]);
  const pills = (
    <>
      {capabilities.isWhole && (
        <Pill title="A stream was requested, but this model sent its response at once.">Not streamed</Pill>
      )}
      {capabilities.inputForm === "text" && (
        <Pill title="The service rejected structured input. The chat is sent as plain text.">Plain text input</Pill>
      )}
    </>
  );
  const isInDock = isOnly && parameters.state === "docked";
  if (isInDock) {
    return <div className="mx-auto flex w-full max-w-189 gap-2 px-4.5 not-empty:pt-3 max-sm:px-4">{pills}</div>;
  }
  return (
    <header
      className={`mx-auto flex min-h-11.5 w-full items-center gap-2 px-4.5 pt-2.5 pb-1.5 max-sm:px-4 @max-[20.625rem]:gap-1 ${
        isOnly ? "max-w-189" : "border-line border-b"
      } ${isActive ? "md:shadow-[inset_0_2px_0_var(--accent)]" : ""}`}
    >
      <button
        type="button"
        {...chooseProps}
        aria-label={`Model: ${visibleLine(model) || "none chosen"}`}
        onClick={choose.run}
        className="-ms-1.5 flex min-h-7 min-w-0 cursor-pointer items-center gap-1 rounded-sm px-1.5 font-semibold hover:bg-hover pointer-coarse:min-h-11"
      >
        <span className="truncate">{visibleLine(model) || modelCommands.choose.label}</span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-3" />
      </button>
      <span className="shrink-[9] truncate text-xs text-ink-3 @max-[17.5rem]:hidden">{endpoint}</span>
      {pills}
      {isActive && <span className="sr-only">Active column: its parameters are shown.</span>}
      <div className="ms-auto flex shrink-0">
        <IconButton label={playgroundCommands.code.label} size="sm" data-command={code.id} onClick={code.run}>
          <Code aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={playgroundCommands.log.label} size="sm" data-command={log.id} onClick={log.run}>
          <ScrollText aria-hidden className="size-4" />
        </IconButton>
        {!isOnly && (
          <IconButton
            label={playgroundCommands.removeColumn.label}
            size="sm"
            data-command={remove.id}
            aria-disabled={isRunning}
            onClick={remove.run}
          >
            <X aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
    </header>
  );
}
