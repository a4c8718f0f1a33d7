import { useQueryClient } from "@tanstack/react-query";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { deskOf } from "./desk-of.ts";
import type { Submissions } from "./submit/submissions.ts";

/** The desk of the current connection. */
export function useDesk(): Submissions {
  return deskOf(useApi(), useConnection(), useQueryClient());
}
