import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import { perConnection } from "#connection/per-connection.ts";
import { keepDurable } from "#storage/keep-durable.ts";
import { jobKey } from "./job-queries.ts";
import { browserEffects } from "./submit/browser-effects.ts";
import { guardLeaving } from "./submit/leave-guard.ts";
import { createSubmissions, type Submissions } from "./submit/submissions.ts";

/** What a desk needs to know of a connection. `isRelayed`: its requests pass through the studio's own relay. */
export interface DeskConnection {
  accountId: string;
  queueBaseUrl: string;
  isRelayed?: boolean;
}

/** The one desk of a connection's client: it outlives every screen. */
export const deskOf = perConnection(
  (api: Api, connection: DeskConnection | null, queryClient: QueryClient): Submissions => {
    const accountId = connection?.accountId ?? "";
    const queueBaseUrl = connection?.queueBaseUrl ?? "/";
    const isRelayed = connection?.isRelayed === true;
    const desk = createSubmissions((show) =>
      browserEffects({ api, accountId, queueBaseUrl, isRelayed, queryClient, show }),
    );
    // The answer to the submit is the first thing that the service tells of a job; with its outcome it is also the last.
    desk.states.subscribe((states) => {
      guardLeaving(states);
      for (const state of Object.values(states)) {
        if (state.phase === "accepted") void keepDurable();
        if (state.phase !== "accepted" || !state.job || queryClient.getQueryData(jobKey(state.requestId))) continue;
        queryClient.setQueryData(jobKey(state.requestId), state.job);
      }
    });
    return desk;
  },
);
