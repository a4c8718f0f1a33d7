import { QueryClient } from "@tanstack/react-query";
import { retryDelayMs, retryRead } from "#api/retry-policy.ts";

/**
 * The cache of one connection. Reads follow the one retry policy. `networkMode: "always"` because the browser's notion
 * of "online" is a guess: a request is made, and its failure is shown, instead of being sent minutes later.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: retryRead, retryDelay: retryDelayMs, staleTime: 30_000, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
