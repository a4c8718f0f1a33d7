import { useProjects } from "#runs/ledger/use-ledger.ts";
import { useChat, useChatState } from "#text/chat.ts";
import type { EndpointModel } from "#text/conversations/thread.ts";
import { useStartingModel } from "./starting-model.ts";

/**
 * Starts and opens a conversation with the model of the open one, or with that which was used last. It belongs to the
 * project that is being worked on, if there is one.
 */
export function useNewConversation(): (options?: { isTemporary?: boolean; asked?: EndpointModel }) => void {
  const { conversations } = useChat();
  const { current: project } = useProjects();
  const first = useChatState(({ current }) => current?.columns[0]);
  const start = useStartingModel();
  return ({ isTemporary = false, asked = first ?? start } = {}) => {
    if (asked === undefined) return;
    const { endpoint, model } = asked;
    const { id } = conversations.start({ endpoint, model }, { isTemporary });
    if (project) conversations.dispatch(id, { kind: "moved", projectId: project.id });
  };
}
