import { useQueryClient } from "@tanstack/react-query";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { deskOf } from "./desk-of.ts";
import type { SubmitDesk } from "./submit/submit-desk.ts";

/** The desk of the current connection. */
export function useDesk(): SubmitDesk {
  return deskOf(useApi(), useConnection(), useQueryClient());
}
