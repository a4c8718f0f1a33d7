import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { type TextClient, useTextClient } from "#connection/text-client.ts";
import { type ModelEntry, spendingClient } from "./answer-spend.ts";
import { textModelQueries } from "./text-model-queries.ts";

/** Reads entries of the text catalogue, from the cache where it is fresh. What it returns never rejects. */
export function getModelCatalogue(api: Api, queryClient: QueryClient): ModelEntry {
  return async (model) => {
    const models = await queryClient.fetchQuery({ ...textModelQueries(api).all(), retry: false }).catch(() => []);
    return models.find(({ id }) => id === model)?.raw;
  };
}

/** The text endpoints of the current connection, for requests outside of a conversation: each is in the ledger. */
export function useSpendingClient(): (projectId: string | undefined) => TextClient {
  const client = useTextClient();
  const accountId = useConnection()?.accountId ?? "";
  const entryOf = getModelCatalogue(useApi(), useQueryClient());
  return (projectId) => spendingClient(client, { accountId, projectId, entryOf });
}
