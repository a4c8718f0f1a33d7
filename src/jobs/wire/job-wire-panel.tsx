import { codeSample } from "#api/samples/code-samples.ts";
import { useWireCalls } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { WirePanel } from "#connection/wire/wire-panel.tsx";
import type { JsonRecord } from "#lib/json.ts";
import { jobExchanges } from "./job-exchanges.ts";

/** The requests that this page sent for a job, and a program that makes the same job again: it charges again. */
export function JobWirePanel({
  requestId,
  model,
  payload,
}: {
  requestId: string;
  model: string | undefined;
  payload: JsonRecord | undefined;
}) {
  const queueBaseUrl = useConnection()?.queueBaseUrl ?? "";
  const exchanges = jobExchanges(useWireCalls(), requestId);
  const queue = new URL(queueBaseUrl, globalThis.location.href).href;
  return (
    <WirePanel
      exchanges={exchanges}
      note="Kept in memory until this page is closed or loaded again; the code makes a new job, which charges again."
      missing="This page has sent nothing for this job yet."
      replay={
        model && payload ? (language) => codeSample(language, { queueBaseUrl: queue, model, payload }) : undefined
      }
    />
  );
}
