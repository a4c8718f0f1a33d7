import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import {
  ChevronDown,
  Ellipsis,
  Folder,
  MessageSquareDashed,
  MessagesSquare,
  PanelLeftClose,
  Pin,
  Plus,
  Search,
} from "lucide-react";
import { type KeyboardEvent, memo, useDeferredValue, useMemo, useRef, useState } from "react";
import { create } from "zustand";
import { counted, formatNumber } from "#lib/numbers.ts";
import { formatDayOfYear, formatTimeOfDay } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useProjects } from "#runs/ledger/use-ledger.ts";
import { useChat, useChatState } from "#text/chat.ts";
import type { ConversationSummary } from "#text/conversations/stored-conversations.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextInput } from "#ui/field.tsx";
import { indexAfterKey } from "#ui/list-keys.ts";
import { Menu } from "#ui/menu.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { Time } from "#ui/time.tsx";
import { useToday } from "#ui/use-today.ts";
import { playgroundCommands } from "../commands.ts";
import { closeSheet, DockHead, useDock } from "../docks.tsx";
import { useNewConversation } from "../new-conversation.ts";
import { useConversationActs } from "./conversation-acts.ts";
import { importFromFile } from "./conversation-export.ts";
import { type ConversationGroup, groupConversations } from "./group-conversations.ts";
import { type FoundPlace, useFoundMessages } from "./message-search.ts";

const NONE: readonly never[] = [];

/** The list of this connection's chats in groups, with a search and the buttons for new ones. */
export function ConversationDock() {
  const chat = useChat();
  const current = useChatState((state) => state.current);
  const summaries = useChatState((state) => state.summaries) ?? NONE;
  const { projects } = useProjects();
  const start = useNewConversation();
  const dock = useDock("conversations");
  const [text, setText] = useState("");
  const searchText = useDeferredValue(text);
  const list = useRef<HTMLDivElement>(null);
  const day = useToday();
  const groups = useMemo(() => groupConversations(summaries, projects, day), [summaries, projects, day]);
  const startNew = (isTemporary: boolean) => {
    start({ isTemporary });
    closeSheet();
    document.querySelector<HTMLElement>("[data-composer]")?.focus();
  };
  const newConversation = { ...playgroundCommands.new, run: () => startNew(false) };
  const temporary = { ...playgroundCommands.temporary, run: () => startNew(true) };
  const importing = { ...playgroundCommands.import, run: () => importFromFile(chat) };
  const isSheet = dock.state === "sheet";
  useCommands([importing]);
  return (
    <>
      <DockHead side="conversations">
        <CommandButton isIcon size="sm" variant="ghost" command={{ ...temporary, icon: MessageSquareDashed }} />
        <CommandButton isIcon size="sm" variant="ghost" command={{ ...newConversation, icon: Plus }} />
        <IconButton
          label={isSheet ? "Close chats" : "Hide chats"}
          size="sm"
          data-command={isSheet ? undefined : playgroundCommands.list.id}
          onClick={dock.close}
        >
          <PanelLeftClose aria-hidden className="size-4 rtl:-scale-x-100" />
        </IconButton>
      </DockHead>
      <div className="relative mx-3 mt-3 mb-1 shrink-0">
        <Search
          aria-hidden
          className="pointer-events-none absolute start-2.5 top-1/2 size-3.5 -translate-y-1/2 text-ink-3"
        />
        <TextInput
          type="search"
          data-conversation-search
          aria-label={playgroundCommands.search.label}
          placeholder="Search"
          autoComplete="off"
          spellCheck={false}
          className="w-full ps-8 pe-8"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape" && text !== "") {
              event.stopPropagation();
              setText("");
            } else if (event.key === "ArrowDown") {
              event.preventDefault();
              rowsIn(list.current)[0]?.focus();
            } else if (event.key === "Enter") rowsIn(list.current)[0]?.click();
          }}
        />
        {text === "" && (
          <span aria-hidden className="pointer-events-none absolute end-2 top-1/2 -translate-y-1/2">
            <Kbd command={playgroundCommands.search} />
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows go from row to row, beside the Tab key */}
      <div
        ref={list}
        onKeyDown={(event) => moveFocus(event, list.current)}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-3 short:flex-none short:overflow-visible"
      >
        {searchText.trim() !== "" ? (
          <SearchResults text={searchText} currentId={current?.id} />
        ) : summaries.length === 0 ? (
          <EmptyState icon={MessagesSquare} title="No chats yet" className="px-2">
            Chats are saved in this browser and appear here.
          </EmptyState>
        ) : (
          <ConversationGroups groups={groups} currentId={current?.id} />
        )}
      </div>
      <div className="shrink-0 border-line border-t px-3 py-2">
        <Button size="sm" variant="ghost" data-command={importing.id} onClick={importing.run}>
          {importing.label}
        </Button>
      </div>
    </>
  );
}

/** Search results that are shown. */
const MAX_FOUND = 100;

/** The chats whose title or messages contain all words. */
function SearchResults({ text, currentId }: { text: string; currentId: string | undefined }) {
  const summaries = useChatState((state) => state.summaries) ?? NONE;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const { places, isSearching } = useFoundMessages(text, summaries);
  const matching = summaries.filter(
    ({ id, title }) => words.every((word) => title.toLowerCase().includes(word)) || places.has(id),
  );
  return (
    <>
      {matching.length === 0 ? (
        <p className="m-0 px-2 pt-3 text-sm text-ink-2">{isSearching ? "Searching messages…" : "No matching chats"}</p>
      ) : (
        <ol aria-label="Matching chats" className="m-0 flex list-none flex-col gap-px p-0 pt-1">
          {matching.slice(0, MAX_FOUND).map((summary) => (
            <ConversationRow
              key={summary.id}
              summary={summary}
              place={places.get(summary.id)}
              isCurrent={summary.id === currentId}
            />
          ))}
        </ol>
      )}
      {matching.length > MAX_FOUND && (
        <p className="m-0 px-2 pt-2 text-xs text-ink-3">
          {formatNumber(matching.length - MAX_FOUND)} more. Add a word to narrow the search.
        </p>
      )}
      <p role="status" className="sr-only">
        {isSearching ? "" : `${counted(matching.length, "chat")} found`}
      </p>
    </>
  );
}

const rowsIn = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>("[data-conversation], [data-group]") ?? []),
];

/** Moves the focus among the rows and headings of the list with the arrows, Home and End. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  if (!(event.target instanceof Element) || event.target.closest("[role=menu]")) return;
  const rows = rowsIn(list);
  const index = rows.findIndex((row) => row.contains(event.target as Element) || row === document.activeElement);
  const nextIndex = indexAfterKey(event.key, index, rows.length, { pageItems: 0 });
  if (nextIndex === undefined || index < 0) return;
  event.preventDefault();
  const isAbove = event.key === "ArrowUp" && index === 0;
  const target = isAbove ? document.querySelector<HTMLElement>("[data-conversation-search]") : rows[nextIndex];
  target?.focus();
}

/** Groups that the person closed (true) or opened, by id. In a store, because other screens unmount the list. */
const useFolded = create<Readonly<Record<string, boolean>>>(() => ({}));

/** The groups of the list. The group of the open chat is open at first. */
function ConversationGroups({
  groups,
  currentId,
}: {
  groups: readonly ConversationGroup[];
  currentId: string | undefined;
}) {
  const firstProject = groups.findIndex(({ kind }) => kind === "project");
  return groups.map((group, index) => (
    <div key={group.id}>
      {index === firstProject && <h3 className={HEADING}>Projects</h3>}
      <Group group={group} currentId={currentId} />
    </div>
  ));
}

const HEADING = "m-0 flex min-h-6.5 items-center px-2 pt-3 pb-1 font-medium text-xs text-ink-3";

/** Rows of a group that are shown at first. */
const FIRST_ROWS = 60;
/** Rows that each press on "Show more" adds. */
const MORE_ROWS = 200;

function Group({ group, currentId }: { group: ConversationGroup; currentId: string | undefined }) {
  const { id, title, kind, conversations } = group;
  const choice = useFolded((folded) => folded[id]);
  const [shown, setShown] = useState(FIRST_ROWS);
  const hasCurrent = conversations.some((conversation) => conversation.id === currentId);
  const isOpen = choice === undefined ? !group.isFolded || hasCurrent : !choice;
  const toggle = () => useFolded.setState({ [id]: isOpen });
  const isProject = kind === "project";
  const hiddenCount = conversations.length - shown;
  const GroupIcon = isProject ? Folder : ChevronDown;
  const head = (
    <button
      type="button"
      data-group
      aria-expanded={isOpen}
      onClick={toggle}
      className={
        isProject
          ? "flex min-h-7.5 w-full cursor-pointer items-center gap-2 rounded-sm px-2 text-start text-sm text-ink-2 hover:bg-raised hover:text-ink pointer-coarse:min-h-11"
          : "flex min-h-6 w-full cursor-pointer items-center gap-1.5 rounded-sm px-1 text-start font-medium text-xs text-ink-3 hover:text-ink pointer-coarse:min-h-11"
      }
    >
      <GroupIcon
        aria-hidden
        className={
          isProject
            ? "size-3.5 shrink-0 text-ink-3"
            : `size-3 shrink-0 transition-transform duration-150 ${isOpen ? "" : "-rotate-90 rtl:rotate-90"}`
        }
      />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {visibleLine(title)}
      </span>
      {(isProject || !isOpen) && (
        <span className="text-xs text-ink-3 tabular-nums">{formatNumber(conversations.length)}</span>
      )}
    </button>
  );
  return (
    <>
      {isProject ? head : <h3 className="m-0 px-1 pt-3 pb-0.5">{head}</h3>}
      {isOpen && (
        <ol
          aria-label={visibleLine(title)}
          className={`m-0 flex list-none flex-col gap-px p-0 ${isProject ? "ms-3.5 border-line border-s ps-1" : ""}`}
        >
          {conversations.slice(0, shown).map((summary) => (
            <ConversationRow
              key={summary.id}
              summary={summary}
              isCurrent={summary.id === currentId}
              isOfDay={id === "today" || id === "yesterday"}
            />
          ))}
          {hiddenCount > 0 && (
            <li>
              <Button size="sm" variant="ghost" onClick={() => setShown(shown + MORE_ROWS)}>
                Show more ({formatNumber(hiddenCount)})
              </Button>
            </li>
          )}
        </ol>
      )}
    </>
  );
}

interface RowProps {
  summary: ConversationSummary;
  /** The place in its messages where the search was found. */
  place?: FoundPlace | undefined;
  isCurrent: boolean;
  /** Whether its group is a day: then the row shows only the time of day. */
  isOfDay?: boolean | undefined;
}

const ROW_CLASS =
  "flex min-w-0 flex-1 flex-col justify-center rounded-sm ps-2 pe-1 py-1 text-sm text-ink-2 outline-offset-[-2px] hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink";

/**
 * One chat of the list: a link to it. The menu of its actions opens with its button, a right click, or
 * the context menu key. F2 renames and Delete deletes.
 */
const ConversationRow = memo(function ConversationRow({ summary, place, isCurrent, isOfDay = false }: RowProps) {
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
            className="shrink-0 font-normal text-xs text-ink-3 tabular-nums group-focus-within/row:invisible group-hover/row:invisible pointer-coarse:invisible"
          />
        )}
      </span>
      {isTemporary && <span className="text-xs text-ink-3">Temporary, not saved</span>}
      {place && (
        <span dir="auto" className="line-clamp-2 text-xs text-ink-3 leading-snug">
          {place.before}
          <mark className="rounded-xs bg-accent-soft text-ink forced-colors:bg-[Mark] forced-colors:text-[MarkText]">
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
        "group/row relative flex min-h-7.5 items-stretch rounded-sm pointer-coarse:min-h-11 [contain-intrinsic-size:auto_30px] [content-visibility:auto]",
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
          className={clsx(ROW_CLASS, "cursor-pointer text-left")}
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
          className={ROW_CLASS}
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
