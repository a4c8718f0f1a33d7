import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Ellipsis, Pin } from "lucide-react";
import { memo, useRef } from "react";
import { formatDayOfYear, formatTimeOfDay } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useChat } from "#text/chat.ts";
import type { ConversationSummary } from "#text/conversations/stored-conversations.ts";
import { Menu } from "#ui/menu.tsx";
import { Time } from "#ui/time.tsx";
import { closeSheet } from "../use-docks.ts";
import { useConversationActs } from "./conversation-acts.ts";
import type { FoundPlace } from "./message-search.ts";

interface RowProps {
  summary: ConversationSummary;
  /** Where the search was found in its messages. */
  place?: FoundPlace | undefined;
  isCurrent: boolean;
  /** Its time alone says when, because its heading names the day. */
  isOfDay?: boolean | undefined;
}

const LOOK =
  "flex min-w-0 flex-1 flex-col justify-center rounded-sm ps-2 pe-1 py-1 text-[13px] text-ink-2 outline-offset-[-2px] hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink";

/**
 * One conversation of the list: a link to its address. The menu of its acts opens by its button, by a press of the second
 * button, and by the keyboard's own key for it; F2 renames and Delete deletes.
 */
export const ConversationRow = memo(function ConversationRow({ summary, place, isCurrent, isOfDay = false }: RowProps) {
  const { conversations } = useChat();
  const acts = useConversationActs()(summary);
  const row = useRef<HTMLLIElement>(null);
  const { id, title, isPinned, isTemporary, updatedAtMs } = summary;
  const run = (name: string) => acts.find((act) => act.name === name)?.run();
  const content = (
    <>
      <span className="flex min-w-0 items-center gap-2">
        {isPinned && <Pin aria-label="Pinned" className="size-3.5 shrink-0 text-ink-3" />}
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {visibleLine(title)}
        </span>
        {!isPinned && !place && (
          <Time
            seconds={updatedAtMs / 1000}
            format={isOfDay ? formatTimeOfDay : formatDayOfYear}
            className="shrink-0 font-normal text-[11.5px] text-ink-3 tabular-nums group-focus-within/row:invisible group-hover/row:invisible pointer-coarse:invisible"
          />
        )}
      </span>
      {isTemporary && <span className="text-[11.5px] text-ink-3">Temporary, not saved</span>}
      {place && (
        <span dir="auto" className="line-clamp-2 text-[12px] text-ink-3 leading-4">
          {place.before}
          <mark className="rounded-[3px] bg-accent-soft text-ink forced-colors:bg-[Mark] forced-colors:text-[MarkText]">
            {place.hit}
          </mark>
          {place.after}
        </span>
      )}
    </>
  );
  return (
    <li
      ref={row}
      onContextMenu={(event) => {
        event.preventDefault();
        row.current?.querySelector<HTMLElement>("[aria-haspopup=menu][aria-expanded=false]")?.click();
      }}
      onKeyDown={(event) => {
        if (event.target instanceof Element && event.target.closest("[role=menu]")) return;
        if (event.key === "F2") run("rename");
        else if (event.key === "Delete") run("delete");
        else return;
        event.preventDefault();
      }}
      className={clsx(
        "group/row relative flex min-h-[30px] items-stretch rounded-sm pointer-coarse:min-h-11 [contain-intrinsic-size:auto_30px] [content-visibility:auto]",
        isCurrent ? "bg-hover" : "hover:bg-raised",
      )}
    >
      {isTemporary ? (
        <button
          type="button"
          data-conversation
          aria-current={isCurrent ? "page" : undefined}
          onClick={() => {
            void conversations.open(id);
            closeSheet();
          }}
          className={clsx(LOOK, "cursor-pointer text-left")}
        >
          {content}
        </button>
      ) : (
        <Link
          to="/playground/$place"
          params={{ place: id }}
          data-conversation
          aria-current={isCurrent ? "page" : undefined}
          preload={false}
          onClick={closeSheet}
          className={LOOK}
        >
          {content}
        </Link>
      )}
      <span className="absolute end-0.5 top-0.5 opacity-0 focus-within:opacity-100 has-aria-expanded:opacity-100 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:static pointer-coarse:self-center pointer-coarse:opacity-100">
        <Menu
          label={`Actions for ${visibleLine(title, 60)}`}
          icon={Ellipsis}
          size="sm"
          align="end"
          items={acts.map(({ label, icon, danger, run: onSelect }) => ({ label, icon, danger, onSelect }))}
        />
      </span>
    </li>
  );
});
