import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { isUsableRequestId } from "#api/path-id.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { Button } from "#ui/button.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { importLatestJobs, importOneJob } from "./import-jobs.ts";

/** Imports jobs that another client of the key submitted: one by its id, or the newest of the list. */
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
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { requestId: "" },
    reValidateMode: "onSubmit",
    shouldFocusError: false,
  });
  const importing = useMutation({
    mutationFn: async (requestId: string) => ({ requestId, added: await importOneJob(api, accountId, requestId) }),
  });
  const submit = handleSubmit(
    ({ requestId }) => importing.mutate(requestId.trim()),
    () => importing.reset(),
  );
  const hint = importing.data && (
    <span role="status">
      {importing.data.added > 0 ? "Brought in. " : "It was known already. "}
      <Link
        to="/jobs/$requestId"
        params={{ requestId: importing.data.requestId }}
        preload={false}
        className="underline"
      >
        Open the job
      </Link>
    </span>
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="max-w-[560px]">
      <Field label="One job by its id" hint={hint} error={formState.errors.requestId?.message}>
        {({ id, describedBy, invalid }) => (
          <div className="flex gap-2">
            <TextInput
              {...register("requestId", {
                validate: (text) => isUsableRequestId(text.trim()) || "A job id, as the service gave it",
              })}
              id={id}
              mono
              aria-describedby={describedBy}
              aria-invalid={invalid}
              autoComplete="off"
              spellCheck={false}
              className="min-w-0 flex-1"
            />
            <Button type="submit" busy={importing.isPending}>
              Bring in
            </Button>
          </div>
        )}
      </Field>
      {importing.error && <ErrorNotice error={importing.error} operation="read" onRetry={() => void submit()} />}
    </form>
  );
}

function importedText({ found, added }: { found: number; added: number }): string {
  if (found === 0) return "The job list is empty.";
  if (added === 0) return `All ${found} jobs of the list were known already.`;
  return `${added} of ${found} jobs brought in. Their prices are not known here.`;
}

function ImportLatestJobs() {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const importing = useMutation({ mutationFn: () => importLatestJobs(api, accountId) });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button size="sm" busy={importing.isPending} onClick={() => importing.mutate()}>
        Bring in my last 1,000 jobs
      </Button>
      <span role="status" className="text-[12.5px] text-ink-3">
        {importing.data && importedText(importing.data)}
      </span>
      {importing.error && <ErrorNotice error={importing.error} operation="read" onRetry={() => importing.mutate()} />}
    </div>
  );
}
