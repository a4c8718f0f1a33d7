import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { TEXT_ENDPOINTS } from "#api/text/text-types.ts";
import { useApi } from "#connection/client.ts";
import { asOneOf, asRecord, asText } from "#lib/read.ts";
import { useProjects } from "#runs/ledger/use-ledger.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { useChat, useChatState } from "#text/chat.ts";
import type { EndpointModel } from "#text/conversations/conversation.ts";
import { textModelQueries } from "#text/text-model-queries.ts";

/**
 * Starts and opens a conversation with `asked`, else with the model of the open one, else with the one that was used
 * last. It belongs to the current project, if there is one.
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

/**
 * The model of a new conversation: the one that was chosen last if the service still lists it, else its first text
 * model. Without a list no model is chosen. Undefined while the list is being read.
 */
export function useStartingModel(): EndpointModel | undefined {
  const { data, isPending } = useQuery(textModelQueries(useApi()).all());
  return useMemo(() => {
    if (isPending) return undefined;
    const last = readLastModel();
    if (last && data?.some(({ id }) => id === last.model)) return last;
    return { endpoint: "messages", model: data?.[0]?.id ?? "" };
  }, [data, isPending]);
}

/** The endpoint and model that were chosen last on this device. */
function readLastModel(): EndpointModel | undefined {
  const raw = asRecord(readJson(KEYS.lastTextModel));
  const endpoint = asOneOf(raw.endpoint, TEXT_ENDPOINTS);
  const model = asText(raw.model);
  return endpoint !== undefined && model !== undefined ? { endpoint, model } : undefined;
}

/** Stores the choice for the next new conversation. */
export function rememberModel({ endpoint, model }: EndpointModel): void {
  writeJson(KEYS.lastTextModel, { endpoint, model });
}
