import { ChevronDown, SlidersHorizontal, X } from "lucide-react";
import { TEXT_ENDPOINTS } from "#api/text/text-types.ts";
import { useChat, useChatState } from "#chat/chat.ts";
import { type Column, switchEndpoint } from "#chat/conversation.ts";
import { capabilitiesOf } from "#chat/endpoint-capabilities.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { Pill } from "#ui/indicators.tsx";
import { DocumentPane } from "./document-pane.tsx";
import { removeColumn, useColumnCommand } from "./message-acts.ts";
import { MessagePane } from "./message-pane.tsx";
import { rememberModel } from "./starting-model.ts";
import { useDialog } from "./use-dialog.ts";

/** One column: its model, and below it the messages or the document. */
export function ColumnPane(props: { conversationId: string; column: Column; isOnly: boolean }) {
  const { conversationId, column } = props;
  return (
    <>
      <ColumnHead {...props} />
      {column.isDocument && column.endpoint === "completions" ? (
        <DocumentPane key={column.id} conversationId={conversationId} column={column} />
      ) : (
        <MessagePane conversationId={conversationId} column={column} />
      )}
    </>
  );
}

/** The endpoint as a pill, the model, what is set, and the way to the settings. */
function ColumnHead({ conversationId, column, isOnly }: { conversationId: string; column: Column; isOnly: boolean }) {
  const chat = useChat();
  const openDialog = useDialog();
  const isRunning = useChatState(({ runs }) => Object.values(runs).some(({ columnId }) => columnId === column.id));
  const { id, endpoint, model } = column;
  const capabilities = capabilitiesOf(chat.accountId, column);
  const switchTo = (next: string) => {
    const chosen = TEXT_ENDPOINTS.find((name) => name === next);
    if (chosen === undefined) return;
    rememberModel({ endpoint: chosen, model });
    const patch = switchEndpoint(column, chosen);
    chat.conversations.dispatch(conversationId, { kind: "column-changed", columnId: id, patch });
  };
  const named = useColumnCommand(column);
  const choose = {
    ...named("model", "Choose model"),
    run: () => openDialog({ kind: "model", columnId: id }),
    keys: isOnly ? "mod+m" : undefined,
    detail: isOnly && model ? `now ${visibleLine(model)}` : undefined,
  };
  const settings = {
    ...named("column-settings", "Column settings"),
    run: () => openDialog({ kind: "settings", columnId: id }),
    icon: SlidersHorizontal,
  };
  const remove = {
    ...named("remove-column", "Remove column"),
    run: () => removeColumn({ conversations: chat.conversations, conversationId, columnId: id }),
    icon: X,
    ...(isRunning ? { unavailable: "Wait for the answer, or stop it" } : {}),
  };
  const chooseProps = useCommandProps(choose);
  useCommands([choose, settings, ...(isOnly ? [] : [remove])]);
  return (
    <header className="flex min-h-[46px] items-center gap-2 px-[18px] pt-3 pb-1.5 max-sm:px-4 @max-[330px]:gap-1">
      <span className="relative inline-flex shrink-0 items-center rounded-full border border-line-strong text-ink-2">
        <select
          aria-label="Endpoint"
          value={endpoint}
          onChange={(event) => switchTo(event.target.value)}
          className="field-sizing-content h-6 cursor-pointer appearance-none rounded-full bg-transparent pr-6 pl-2.5 text-[12px] pointer-coarse:h-11 [&>option]:bg-panel [&>option]:text-ink"
        >
          {TEXT_ENDPOINTS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <ChevronDown aria-hidden className="pointer-events-none absolute right-1.5 size-3.5" />
      </span>
      <button
        type="button"
        {...chooseProps}
        aria-label={`Model: ${model || "none chosen"}`}
        onClick={choose.run}
        className="flex min-h-7 min-w-0 cursor-pointer items-center gap-1 rounded-sm px-1.5 font-semibold hover:bg-hover pointer-coarse:min-h-11"
      >
        <span className="truncate">{model || "Choose a model"}</span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-3" />
      </button>
      {capabilities.isWhole && (
        <Pill title="A stream was requested, but this model sent its answer at once.">not streamed</Pill>
      )}
      {capabilities.inputForm === "text" && (
        <Pill title="The service refused structured input. The conversation is sent as plain text.">
          plain text input
        </Pill>
      )}
      <span className="ml-auto shrink-[9] truncate text-[12.5px] text-ink-3 tabular-nums @max-[430px]:hidden max-sm:hidden">
        {isRunning ? "streaming" : paramsText(column)}
      </span>
      <div className="flex shrink-0 @max-[430px]:ml-auto max-sm:ml-auto">
        <IconButton label="Settings" size="sm" data-command={settings.id} onClick={settings.run}>
          <SlidersHorizontal aria-hidden className="size-4" />
        </IconButton>
        {!isOnly && (
          <IconButton
            label="Remove column"
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

/** What is set in a column, in one line: `max_tokens 1024, cache on`. */
function paramsText({ params, cacheMode, endpoint, system }: Column): string {
  const set = Object.entries(params).flatMap(([name, value]) =>
    typeof value === "number" || typeof value === "string" ? [`${name} ${value}`] : [],
  );
  if (endpoint === "messages" && cacheMode !== "off") set.push(cacheMode === "auto" ? "cache on" : "cache pins");
  if (system !== "") set.push("system prompt");
  return set.join(", ");
}
