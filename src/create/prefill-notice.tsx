import { useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useApi } from "#connection/client.ts";
import { getConnection } from "#connection/connection-store.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import type { Draft } from "#schema-form/draft.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { placeOf } from "#schema-form/read/place-store.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { hasPayload } from "#storage/job-records.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { focusFreePrompt } from "./form-focus.ts";
import { type JobSettings, type Prefill, readPrefill } from "./read-prefill.ts";

/**
 * Puts the values into the form once, shows in one line what was put in and what was not, and can undo it. Give it the
 * id as key.
 */
export function PrefillNotice({ prefill, form, onDone }: { prefill: Prefill; form: FormHandle; onDone: () => void }) {
  const [result, setResult] = useState<{ message: string | undefined }>();
  const [before, setBefore] = useState<Draft>();
  const isDone = useRef(false);
  const api = useApi();
  const client = useQueryClient();
  const tracked = useTrackedJobs();
  // The payload of a job that this browser sent is known exactly; of other jobs the service may echo it.
  const loadJob = async (requestId: string): Promise<JobSettings | undefined> => {
    const sent = tracked.find((job) => job.requestId === requestId);
    const job = sent && hasPayload(sent) ? sent : await client.fetchQuery(jobQueries(api).detail(requestId));
    if (!job.payload) return undefined;
    return { payload: job.payload, schema: await schemaOfOther(job.model) };
  };
  /** Between two models values are carried by what they mean, so both lists of parameters are needed. */
  const schemaOfOther = async (model: string | undefined) => {
    if (model === undefined || model === prefill.to) return undefined;
    const { raw } = await client.fetchQuery(modelQueries(api).detail(model));
    return readSchema(raw, { place: placeOf(getConnection()?.queueBaseUrl) });
  };
  const fill = useEffectEvent(async () => {
    if (isDone.current) return;
    isDone.current = true;
    const present = form.getPayload();
    const result = await readPrefill(prefill, { schema: form.schema, present, loadJob });
    if (result.payload) {
      setBefore(form.getDraft());
      form.setPayload(result.payload);
      focusFreePrompt(form);
    }
    setResult(result);
  });
  useEffect(() => void fill(), []);

  if (result && result.message === undefined) return null;
  // The field that the file went to may lie far below.
  const file = prefill.kind === "media" ? prefill.file : undefined;
  return (
    <div
      role="status"
      className="flex items-start gap-2 rounded-md border border-line bg-raised px-3 py-1.5 text-[12.5px]"
    >
      {before && file && (
        <span className="relative my-0.5 size-10 shrink-0 overflow-hidden rounded-[6px] bg-well">
          <MediaThumb isSmall alt="" item={{ id: "", url: file.address, kind: file.as ?? "image" }} />
        </span>
      )}
      <span className={clsx("wrap-anywhere min-w-0 flex-1 text-ink-2", file ? "self-center" : "py-1")}>
        {/* Its space is there while the values are read, so that the form under it does not move when they are. */}
        {result ? result.message : "Filling in the form…"}
      </span>
      {before && (
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            form.setDraft(before);
            onDone();
          }}
        >
          Undo
        </Button>
      )}
      <IconButton size="sm" label="Dismiss" disabled={result === undefined} onClick={onDone}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  );
}
