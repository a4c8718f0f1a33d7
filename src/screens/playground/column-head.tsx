import { clsx } from "clsx";
import { ChevronDown, SlidersHorizontal, X } from "lucide-react";
import { useChat } from "#chat/chat-desk.ts";
import type { Column } from "#chat/conversation.ts";
import { TEXT_ENDPOINTS } from "#chat/conversation.ts";
import { switchEndpoint } from "#chat/conversation-reducer.ts";
import { habitsOf } from "#chat/endpoint-memory.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { Pill } from "#ui/pill.tsx";
import { useDesk } from "./chat-context.ts";
import { removeColumn } from "./delete-with-undo.ts";
import { rememberAsked } from "./last-asked.ts";
import { paramsText } from "./params-text.ts";
import { useDialog } from "./use-dialog.ts";

/** The endpoint as a pill, the model, what is set, and the way to the settings. */
export function ColumnHead({
  conversationId,
  column,
  isOnly,
}: {
  conversationId: string;
  column: Column;
  isOnly: boolean;
}) {
  const desk = useDesk();
  const openDialog = useDialog();
  const isRunning = useChat(desk, ({ runs }) => Object.values(runs).some(({ columnId }) => columnId === column.id));
  const { id, endpoint, model } = column;
  const habits = habitsOf(desk.accountId, column);
  const switchTo = (next: string) => {
    const chosen = TEXT_ENDPOINTS.find((name) => name === next);
    if (chosen === undefined) return;
    rememberAsked({ endpoint: chosen, model });
    const patch = switchEndpoint(column, chosen);
    desk.shelf.act(conversationId, { kind: "column-changed", columnId: id, patch });
  };
  return (
    <header className="flex min-h-[46px] items-center gap-2 px-[18px] pt-3 pb-1.5 max-sm:px-4 @max-[330px]:gap-1">
      <span className={clsx("relative inline-flex shrink-0 items-center rounded-full border", TINT[endpoint])}>
        <select
          aria-label="Endpoint"
          value={endpoint}
          onChange={(event) => switchTo(event.target.value)}
          className="field-sizing-content h-6 cursor-pointer appearance-none rounded-full bg-transparent pr-6 pl-2.5 text-[12px] pointer-coarse:h-10 [&>option]:bg-panel [&>option]:text-ink"
        >
          {TEXT_ENDPOINTS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <ChevronDown aria-hidden className="pointer-events-none absolute right-1.5 size-3.5" />
      </span>
      <button
        type="button"
        aria-label={`Model: ${model || "none chosen"}`}
        onClick={() => openDialog({ kind: "model", columnId: id })}
        className="flex min-h-7 min-w-0 cursor-pointer items-center gap-1 rounded-sm px-1.5 font-semibold hover:bg-hover pointer-coarse:min-h-10"
      >
        <span className="truncate">{model || "Choose a model"}</span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-3" />
      </button>
      {habits.isWhole && <Pill title="A stream was asked for, and this model answered in one piece.">one piece</Pill>}
      {habits.inputForm === "text" && (
        <Pill title="The service refused typed items: the conversation is sent as one text.">input as text</Pill>
      )}
      <span className="ml-auto shrink-[9] truncate text-[12.5px] text-ink-3 tabular-nums @max-[430px]:hidden max-sm:hidden">
        {isRunning ? "streaming" : paramsText(column)}
      </span>
      <div className="flex shrink-0 @max-[430px]:ml-auto max-sm:ml-auto">
        <IconButton label="Settings" size="sm" onClick={() => openDialog({ kind: "settings", columnId: id })}>
          <SlidersHorizontal aria-hidden className="size-4" />
        </IconButton>
        {!isOnly && (
          <IconButton
            label="Remove column"
            size="sm"
            aria-disabled={isRunning}
            onClick={() => removeColumn({ shelf: desk.shelf, conversationId, columnId: id })}
          >
            <X aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
    </header>
  );
}

const TINT = {
  messages: "border-accent-text/60 text-accent-text",
  responses: "border-queued/60 text-queued",
  completions: "border-success/60 text-success",
};
