import { MessageSquareDashed, MessagesSquare, PanelLeftClose, Plus, Search } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from "react";
import { useProjects } from "#runs/ledger/use-ledger.ts";
import { useChat, useChatState } from "#text/chat.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { TextInput } from "#ui/field.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { useToday } from "#ui/use-today.ts";
import { playgroundCommands } from "../commands.ts";
import { DockHead } from "../dock-frame.tsx";
import { closeSheet, useDock } from "../use-docks.ts";
import { useNewConversation } from "../use-new-conversation.ts";
import { ConversationGroups } from "./conversation-groups.tsx";
import { ConversationRow } from "./conversation-row.tsx";
import { groupConversations } from "./group-conversations.ts";
import { importFromFile } from "./import-conversation.ts";
import { useFoundMessages } from "./message-search.ts";

const NONE: readonly never[] = [];

/** Every conversation of this connection: search, new ones, and the list in its parts. */
export function ConversationDock() {
  const chat = useChat();
  const current = useChatState((state) => state.current);
  const summaries = useChatState((state) => state.summaries) ?? NONE;
  const { projects } = useProjects();
  const start = useNewConversation();
  const dock = useDock("conversations");
  const [text, setText] = useState("");
  const sought = useDeferredValue(text);
  const list = useRef<HTMLDivElement>(null);
  const day = useToday();
  const groups = useMemo(() => groupConversations(summaries, projects, day), [summaries, projects, day]);
  const startNew = (isTemporary: boolean) => {
    start({ isTemporary });
    closeSheet();
    document.querySelector<HTMLElement>("[data-composer]")?.focus();
  };
  const fresh = { ...playgroundCommands.new, run: () => startNew(false) };
  const temporary = { ...playgroundCommands.temporary, run: () => startNew(true) };
  const importing = { ...playgroundCommands.import, run: () => importFromFile(chat) };
  const isSheet = dock.state === "sheet";
  useCommands([importing]);
  return (
    <>
      <DockHead side="conversations">
        <CommandButton isIcon size="sm" variant="ghost" command={{ ...temporary, icon: MessageSquareDashed }} />
        <CommandButton isIcon size="sm" variant="ghost" command={{ ...fresh, icon: Plus }} />
        <IconButton
          label={isSheet ? "Close conversations" : "Hide conversations"}
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
          aria-label="Search conversations"
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
        {sought.trim() !== "" ? (
          <SearchResults text={sought} currentId={current?.id} />
        ) : summaries.length === 0 ? (
          <EmptyState icon={MessagesSquare} title="No conversations yet" className="px-2">
            Conversations are saved in this browser and appear here.
          </EmptyState>
        ) : (
          <ConversationGroups groups={groups} currentId={current?.id} />
        )}
      </div>
      <div className="shrink-0 border-line border-t px-3 py-2">
        <Button size="sm" variant="ghost" data-command={importing.id} onClick={importing.run}>
          Import
        </Button>
      </div>
    </>
  );
}

const MAX_FOUND = 100;

/** The conversations whose title or messages hold the words. */
function SearchResults({ text, currentId }: { text: string; currentId: string | undefined }) {
  const summaries = useChatState((state) => state.summaries) ?? NONE;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const { places, isSearching } = useFoundMessages(text, summaries);
  const fitting = summaries.filter(
    ({ id, title }) => words.every((word) => title.toLowerCase().includes(word)) || places.has(id),
  );
  return (
    <>
      {fitting.length === 0 ? (
        <p className="m-0 px-2 pt-3 text-[12.5px] text-ink-2">
          {isSearching ? "Searching messages." : "No title or message contains these words."}
        </p>
      ) : (
        <ol aria-label="Found conversations" className="m-0 flex list-none flex-col gap-px p-0 pt-1">
          {fitting.slice(0, MAX_FOUND).map((summary) => (
            <ConversationRow
              key={summary.id}
              summary={summary}
              place={places.get(summary.id)}
              isCurrent={summary.id === currentId}
            />
          ))}
        </ol>
      )}
      {fitting.length > MAX_FOUND && (
        <p className="m-0 px-2 pt-2 text-[12px] text-ink-3">
          {(fitting.length - MAX_FOUND).toLocaleString("en-US")} more. Add a word to narrow the search.
        </p>
      )}
      <p role="status" className="sr-only">
        {isSearching ? "" : `${fitting.length} found`}
      </p>
    </>
  );
}

const rowsIn = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>("[data-conversation], [data-group]") ?? []),
];

/** Arrows, Home and End go among the rows and the headings of the list. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  if (!(event.target instanceof Element) || event.target.closest("[role=menu]")) return;
  const rows = rowsIn(list);
  const at = rows.findIndex((row) => row.contains(event.target as Element) || row === document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  if (to < 0) document.querySelector<HTMLElement>("[data-conversation-search]")?.focus();
  else rows[Math.min(to, rows.length - 1)]?.focus();
}
