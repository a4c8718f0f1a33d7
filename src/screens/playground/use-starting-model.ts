import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Asked } from "#chat/conversation.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { textModelQueries } from "#models/model-queries.ts";
import { readLastAsked } from "./last-asked.ts";

/**
 * What a new conversation asks: what was asked last where the service still lists it, else its first text model. Without
 * a list the model stays open. Undefined while the list is being read.
 */
export function useStartingModel(): Asked | undefined {
  const { data, isPending } = useQuery(textModelQueries(useApi()).all());
  return useMemo(() => {
    if (isPending) return undefined;
    const last = readLastAsked();
    if (last && data?.some(({ id }) => id === last.model)) return last;
    return { endpoint: "messages", model: data?.[0]?.id ?? "" };
  }, [data, isPending]);
}
