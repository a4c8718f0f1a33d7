import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { isUsableRequestId } from "#api/path-id.ts";
import { mayRetryRead, retryDelayMs } from "#api/retry-policy.ts";
import { useApi, useClient } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { counted, formatNumber } from "#lib/numbers.ts";
import { importOneJob } from "#runs/import-jobs.ts";
import { Button } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Field, TextInput } from "#ui/field.tsx";
import { spendCommands } from "./commands.ts";
import { cutOffImport, type ImportProgress, importNextJobs, NOTHING_IMPORTED } from "./import-list.ts";

/** An import reads one job, which costs nothing, so it is tried again as every read is. */
const READ_RETRIES = { retry: mayRetryRead, retryDelay: retryDelayMs };

/** Imports jobs that another client of the key submitted: one by its ID, or the latest of the list. */
export function ImportJobsPanel() {
  return (
    <>
      <ImportOneJob />
      <ImportLatestJobs />
    </>
  );
}

function ImportOneJob() {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const { register, handleSubmit, setFocus, formState } = useForm({
    defaultValues: { requestId: "" },
    reValidateMode: "onSubmit",
    shouldFocusError: false,
  });
  const importing = useMutation({
    ...READ_RETRIES,
    mutationFn: async (requestId: string) => ({ requestId, added: await importOneJob(api, accountId, requestId) }),
  });
  useCommands([{ ...spendCommands.importOne, run: () => setFocus("requestId") }]);
  const submit = handleSubmit(
    ({ requestId }) => importing.mutate(requestId.trim()),
    () => importing.reset(),
  );
  const hint = importing.data && (
    <span role="status">
      {importing.data.added > 0 ? "Imported. " : "Already imported. "}
      <Link
        to="/jobs/$requestId"
        params={{ requestId: importing.data.requestId }}
        preload={false}
        className="underline"
      >
        Open job
      </Link>
    </span>
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="max-w-140">
      <Field label="Job ID" hint={hint} error={formState.errors.requestId?.message}>
        {({ id, describedBy, invalid }) => (
          <div className="flex gap-2">
            <TextInput
              {...register("requestId", {
                validate: (text) => isUsableRequestId(text.trim()) || "Enter a job ID from the service.",
              })}
              id={id}
              mono
              aria-describedby={describedBy}
              aria-invalid={invalid}
              autoComplete="off"
              spellCheck={false}
              className="min-w-0 flex-1"
            />
            <Button type="submit" busy={importing.isPending} data-command={spendCommands.importOne.id}>
              Import
            </Button>
          </div>
        )}
      </Field>
      {importing.isError && <ErrorNotice error={importing.error} operation="read" onRetry={() => void submit()} />}
    </form>
  );
}

/** What was imported, and whether there may be more in the list. */
function importedText({ read, added, total, place }: ImportProgress): string {
  if (place !== undefined) {
    const counts =
      total === undefined
        ? `${counted(read, "job")} checked so far`
        : `${formatNumber(read)} of ${counted(total, "job")} checked`;
    return `${counts}, ${formatNumber(added)} imported. Prices are estimated in the background.`;
  }
  if (read === 0) return "The job list is empty.";
  if (total !== undefined && total > read) {
    return `${formatNumber(read)} of ${counted(total, "job")} checked, ${formatNumber(added)} imported. The service lists no more jobs.`;
  }
  if (added === 0) return `Already imported: ${counted(read, "job")}.`;
  return `${formatNumber(added)} of ${counted(read, "job")} imported. Prices are estimated in the background.`;
}

function ImportLatestJobs() {
  const { api, queryClient } = useClient();
  const accountId = useConnection()?.accountId ?? "";
  const [progress, setProgress] = useState<ImportProgress>();
  useEffect(() => {
    // An earlier visit may have ended in the middle.
    void cutOffImport(accountId).then((stored) => setProgress((known) => known ?? stored));
  }, [accountId]);
  const importing = useMutation({
    mutationFn: (from: ImportProgress) => importNextJobs({ api, client: queryClient }, accountId, from, setProgress),
  });
  const start = () => {
    setProgress(undefined);
    importing.mutate(NOTHING_IMPORTED);
  };
  const continueImport = () => importing.mutate(progress?.place ? progress : NOTHING_IMPORTED);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <CommandButton size="sm" busy={importing.isPending} command={{ ...spendCommands.import, run: start }} />
      {progress?.place && (
        <CommandButton
          size="sm"
          disabled={importing.isPending}
          command={{ ...spendCommands.importMore, run: continueImport }}
        />
      )}
      <span role="status" className="text-sm text-ink-3">
        {progress && importedText(progress)}
      </span>
      {importing.isError && <ErrorNotice error={importing.error} operation="read" onRetry={continueImport} />}
    </div>
  );
}
