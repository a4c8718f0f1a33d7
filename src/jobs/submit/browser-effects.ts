import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import { abortableDelay } from "#lib/delay.ts";
import { randomId } from "#lib/random-id.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { browserRows } from "../browser-rows.ts";
import { estimateQueries } from "../estimate-queries.ts";
import { watchControlOf } from "../watch/watch-control.ts";
import { provenBodyKind } from "./body-kind.ts";
import { browserLocks } from "./browser-locks.ts";
import type { SubmitEffects } from "./submit-effects.ts";

/** The real world behind a submit: this browser's clocks, network, database and locks. */
export function browserEffects({
  api,
  accountId,
  queueBaseUrl,
  isRelayed,
  queryClient,
  show,
}: {
  api: Api;
  accountId: string;
  queueBaseUrl: string;
  /** Requests go through the studio's own relay, which forwards each attempt once. */
  isRelayed: boolean;
  queryClient: QueryClient;
  show: SubmitEffects["show"];
}): SubmitEffects {
  const control = watchControlOf(api);
  return {
    accountId,
    rows: browserRows,
    show,
    locks: browserLocks,
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    sleep: (ms, signal) => abortableDelay(ms, signal).catch(() => {}),
    random: () => Math.random(),
    newId: randomId,
    isRecordSafe: () => {
      const { kind, memoryAccepted } = useStorageState.getState();
      return kind !== "memory" || memoryAccepted;
    },
    isOnline: () => navigator.onLine !== false,
    api: {
      listJobs: (params) => control.watchLimit(() => api.listJobs(params)),
      submit: (request, { attemptId, body }) =>
        control.watchLimit(() =>
          api.submit(request, undefined, {
            streamBody: body === "stream",
            ...(body === "relay" ? { intentId: attemptId } : {}),
          }),
        ),
      price: async (request) => (await queryClient.fetchQuery(estimateQueries(api).price(request))).priceMicroUsd,
      bodyKind: (request) => (isRelayed ? Promise.resolve("relay") : provenBodyKind(api, queueBaseUrl, request)),
    },
  };
}
