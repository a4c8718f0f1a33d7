import { clsx } from "clsx";
import { useEffect, useState } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import { isBlind, letterOf, shownColumns } from "#text/conversations/blind-comparison.ts";
import { type Conversation, isBlank } from "#text/conversations/conversation.ts";
import { Segmented } from "#ui/segmented.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { ColumnPane } from "./columns/column.tsx";
import { VoteBar } from "./columns/vote-bar.tsx";
import { Composer } from "./composer/composer.tsx";
import { ConversationBar } from "./conversation-bar.tsx";
import { ParametersDock } from "./parameters/parameters-dock.tsx";
import { PlaygroundFrame } from "./playground-frame.tsx";

/**
 * One conversation: its columns side by side, on a phone one at a time, the composer for all of them, and the parameters of
 * the active one: that which had the pointer or the focus last.
 */
export function ConversationView({ conversation }: { conversation: Conversation }) {
  const isPhone = useIsPhone();
  const [activeId, setActiveId] = useState<string>();
  const { id, title } = conversation;
  const columns = shownColumns(conversation);
  const isHidden = isBlind(conversation);
  const active = columns.find((column) => column.id === activeId) ?? columns[0];
  const isOnly = columns.length === 1;
  const nameOf = (place: number) =>
    isHidden ? letterOf(place) : visibleLine(columns[place]?.model ?? "") || "no model";
  useEffect(() => {
    document.title = `${isBlank(conversation) ? "Playground" : visibleLine(title)} · Safelight`;
  }, [conversation, title]);
  return (
    <PlaygroundFrame
      conversation={conversation}
      parameters={
        active &&
        (isHidden ? <HiddenParameters /> : <ParametersDock key={id} conversation={conversation} column={active} />)
      }
    >
      <ConversationBar conversation={conversation} active={active} />
      {isPhone && !isOnly && (
        <div className="border-line border-b px-4 py-2">
          <Segmented
            label="Column"
            options={columns.map((column, index) => ({
              value: column.id,
              label: isHidden ? nameOf(index) : `${index + 1}: ${nameOf(index)}`,
            }))}
            value={active?.id}
            onChange={setActiveId}
          />
        </div>
      )}
      <div className="grid min-h-0 flex-1 auto-cols-[minmax(0,1fr)] grid-flow-col grid-rows-[minmax(0,1fr)] justify-center">
        {columns.map((column, index) => (
          <section
            // An imported conversation may have the columns of the one that was exported.
            key={`${id} ${column.id}`}
            aria-label={`Column ${index + 1}: ${nameOf(index)}`}
            aria-current={!isOnly && column === active ? "true" : undefined}
            onPointerDownCapture={() => setActiveId(column.id)}
            onFocusCapture={() => setActiveId(column.id)}
            className={clsx(
              "@container relative min-h-0 min-w-0 flex-col",
              !isPhone && "border-line not-last:border-e",
              isPhone && column !== active ? "hidden" : "flex",
            )}
          >
            <h2 className="sr-only">
              Column {index + 1}: {nameOf(index)}
            </h2>
            <ColumnPane
              conversationId={id}
              column={column}
              isOnly={isOnly}
              isActive={!isOnly && column === active}
              hiddenAs={isHidden ? letterOf(index) : undefined}
            />
          </section>
        ))}
      </div>
      {columns.some(({ isDocument }) => !isDocument) && (
        <div className="shrink-0 overflow-hidden px-[18px] pt-2 pb-4 max-sm:px-3 max-sm:pb-2.5 [scrollbar-gutter:stable]">
          <VoteBar conversation={conversation} />
          <Composer key={id} conversation={conversation} active={active} />
        </div>
      )}
    </PlaygroundFrame>
  );
}

/** In the place of parameters that would give a model away. */
function HiddenParameters() {
  return (
    <p className="m-0 p-4 text-[12.5px] text-ink-2">
      Models, parameters and prices are hidden until you vote on the answers.
    </p>
  );
}
