import { MessagesSquare } from "lucide-react";
import { Button, IconButton } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { playgroundCommands } from "./commands.ts";
import { PlaygroundFrame } from "./playground-frame.tsx";
import { useDock } from "./use-docks.ts";
import { useNewConversation } from "./use-new-conversation.ts";

/** For an address whose conversation is not stored here: the list of those that are, and a new one. */
export function MissingConversation() {
  return (
    <PlaygroundFrame conversation={undefined}>
      <MissingBody />
    </PlaygroundFrame>
  );
}

function MissingBody() {
  const start = useNewConversation();
  const list = useDock("conversations");
  return (
    <>
      <PageBar
        title="Playground"
        start={
          list.state !== "docked" && (
            <IconButton
              label="Show conversations"
              size="sm"
              data-command={playgroundCommands.list.id}
              onClick={list.open}
            >
              <MessagesSquare aria-hidden className="size-4" />
            </IconButton>
          )
        }
      />
      <div className="grid flex-1 place-items-center p-4">
        <EmptyState
          icon={MessagesSquare}
          title="This conversation is not in this browser"
          actions={
            <Button variant="primary" data-command={playgroundCommands.new.id} onClick={() => start()}>
              New conversation
            </Button>
          }
        >
          It was deleted, or it belongs to another browser or another key. The address of a conversation works only
          where the conversation is stored.
        </EmptyState>
      </div>
    </>
  );
}
