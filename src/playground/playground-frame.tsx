import { useNavigate } from "@tanstack/react-router";
import { PanelLeft, Plus } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import { useChatState } from "#text/chat.ts";
import type { Conversation } from "#text/conversations/conversation.ts";
import { type Command, type CommandInfo, commandFor, useCommands } from "#ui/commands.ts";
import { playgroundCommands } from "./commands.ts";
import { ConversationDock } from "./conversations/conversation-dock.tsx";
import { DockFrame } from "./dock-frame.tsx";
import { PlaygroundDialogs } from "./playground-dialogs.tsx";
import { DialogContext, type PlaygroundDialog } from "./use-dialog.ts";
import { type Docks, DocksContext, useDocks, useWidth } from "./use-docks.ts";
import { useNewConversation } from "./use-new-conversation.ts";

/** The screen around a conversation: the list docked at its start, the parameters at its end, and its dialogs. */
export function PlaygroundFrame({
  conversation,
  parameters,
  children,
}: {
  conversation: Conversation | undefined;
  /** What the dock at the end shows; absent where there is nothing to set. */
  parameters?: ReactNode;
  children: ReactNode;
}) {
  const [dialog, setDialog] = useState<PlaygroundDialog>();
  const frame = useRef<HTMLDivElement>(null);
  const docks = useDocks(useWidth(frame), conversation?.columns.length ?? 1);
  return (
    <DialogContext value={setDialog}>
      <DocksContext value={docks}>
        <FrameCommands docks={docks} hasParameters={parameters !== undefined} />
        <div ref={frame} className="flex h-full min-h-0 short:h-auto short:min-h-full">
          <DockFrame side="conversations">
            <ConversationDock />
          </DockFrame>
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
          {parameters !== undefined && <DockFrame side="parameters">{parameters}</DockFrame>}
        </div>
        <PlaygroundDialogs conversation={conversation} dialog={dialog} onClose={() => setDialog(undefined)} />
      </DocksContext>
    </DialogContext>
  );
}

/** Conversations that the palette offers by their titles. */
const MAX_OFFERED = 30;

/** What can be done with the docks and the list, also while the list is folded. */
function FrameCommands({ docks, hasParameters }: { docks: Docks; hasParameters: boolean }) {
  const navigate = useNavigate();
  const summaries = useChatState((state) => state.summaries);
  const current = useChatState((state) => state.current);
  const startNew = useNewConversation();
  const toggle = (side: keyof Docks, command: CommandInfo): Command => {
    const { state, open, close } = docks[side];
    const isOpen = state !== "closed";
    return { ...command, ...(isOpen && { label: `Hide ${side}` }), run: isOpen ? close : open };
  };
  const search = () => {
    docks.conversations.open();
    // A sheet takes the focus first.
    setTimeout(() => document.querySelector<HTMLElement>("[data-conversation-search]")?.focus());
  };
  const isFolded = docks.conversations.state === "closed";
  const offered = (summaries ?? []).filter(({ id, isTemporary }) => id !== current?.id && !isTemporary);
  useCommands([
    { ...toggle("conversations", playgroundCommands.list), icon: PanelLeft },
    { ...playgroundCommands.search, run: search },
    ...(hasParameters ? [toggle("parameters", playgroundCommands.parameters)] : []),
    // The dock has them while it is open.
    ...(isFolded
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
