import { useState } from "react";
import { CODE_CHARGED } from "#api/charge-words.ts";
import { codeSample } from "#api/samples/code-samples.ts";
import type { Job } from "#api/types.ts";
import { useRecentCalls } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { useRecentRequests } from "#connection/request-history.ts";
import { RequestHistoryTable } from "#connection/request-history-table.tsx";
import { RequestLogView } from "#connection/request-log-view.tsx";
import type { JsonRecord } from "#lib/read.ts";
import type { ButtonProps } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { jobCommands } from "../commands.ts";
import { jobExchanges } from "./job-exchanges.ts";

const REQUEST_LOG = { ...jobCommands.log };

/** Opens the request log of a job. */
export function JobRequestLogButton({
  job,
  ...buttonProps
}: { job: Job } & Pick<ButtonProps, "variant" | "size" | "className">) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <CommandButton {...buttonProps} command={{ ...REQUEST_LOG, run: () => setIsOpen(true) }} />
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Request log" size="lg">
        <JobRequestLogPanel requestId={job.requestId} model={job.model} payload={job.payload} />
      </Dialog>
    </>
  );
}

/** The requests that this page sent for a job, and a program that makes the same job again: it charges again. */
function JobRequestLogPanel({
  requestId,
  model,
  payload,
}: {
  requestId: string;
  model: string | undefined;
  payload: JsonRecord | undefined;
}) {
  const { queueBaseUrl = "", accountId = "" } = useConnection() ?? {};
  const calls = useRecentCalls();
  const exchanges = jobExchanges(calls, requestId);
  const recent = useRecentRequests(accountId)?.filter(({ jobId }) => jobId === requestId) ?? [];
  const earlier = recent.filter(({ atMs }) => !calls.some(({ sentAtMs }) => sentAtMs === atMs));
  const absoluteQueueUrl = new URL(queueBaseUrl, globalThis.location.href).href;
  return (
    <RequestLogView
      exchanges={exchanges}
      note={`Bodies are saved only until you close or reload this tab. ${CODE_CHARGED}`}
      missing="This tab hasn’t sent requests for this job yet."
      earlier={
        earlier.length > 0 && (
          <section aria-label="Earlier requests">
            <p className="m-0 mb-1.5 text-sm text-ink-3">
              Sent before this tab was loaded, from another tab, or too long ago. Their bodies aren’t saved.
            </p>
            <RequestHistoryTable requests={earlier} />
          </section>
        )
      }
      replay={
        model && payload
          ? (language) => codeSample(language, { queueBaseUrl: absoluteQueueUrl, model, payload })
          : undefined
      }
    />
  );
}
