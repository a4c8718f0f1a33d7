import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { isUsableRequestId } from "#api/path-id.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { Button } from "#ui/button.tsx";
import { Field } from "#ui/field.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { bringInJob } from "./import/import-jobs.ts";

type State =
  | { phase: "idle" | "busy" | "unusable" }
  | { phase: "done"; requestId: string; added: number }
  | { phase: "failed"; error: unknown };

/** Brings in one job by its id, whichever client of the key sent it: from then on it is watched and in the ledger. */
export function BringInOneJob() {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const [text, setText] = useState("");
  const [state, setState] = useState<State>({ phase: "idle" });
  async function bringIn(event?: FormEvent) {
    event?.preventDefault();
    const requestId = text.trim();
    if (!isUsableRequestId(requestId)) return setState({ phase: "unusable" });
    setState({ phase: "busy" });
    try {
      const added = await bringInJob(api, accountId, requestId);
      setState({ phase: "done", requestId, added });
    } catch (error) {
      setState({ phase: "failed", error });
    }
  }
  const hint = state.phase === "done" && (
    <span role="status">
      {state.added > 0 ? "Brought in. " : "It was known already. "}
      <Link to="/jobs/$requestId" params={{ requestId: state.requestId }} preload={false} className="underline">
        Open the job
      </Link>
    </span>
  );
  return (
    <form onSubmit={(event) => void bringIn(event)} noValidate className="max-w-[560px]">
      <Field
        label="One job by its id"
        hint={hint}
        error={state.phase === "unusable" ? "A job id, as the service gave it" : undefined}
      >
        {({ id, describedBy, invalid }) => (
          <div className="flex gap-2">
            <TextInput
              id={id}
              mono
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              aria-describedby={describedBy}
              aria-invalid={invalid}
              autoComplete="off"
              spellCheck={false}
              className="min-w-0 flex-1"
            />
            <Button type="submit" busy={state.phase === "busy"}>
              Bring in
            </Button>
          </div>
        )}
      </Field>
      {state.phase === "failed" && <ErrorNotice error={state.error} doing="read" onRetry={() => void bringIn()} />}
    </form>
  );
}
