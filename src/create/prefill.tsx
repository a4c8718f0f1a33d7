import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useApi } from "#connection/client.ts";
import { getConnection } from "#connection/connection-store.ts";
import type { FileSettings } from "#media/metadata/file-settings.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { modelQueries } from "#models/model-queries.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import type { Draft } from "#schema-form/draft.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { getSchemaPlace } from "#schema-form/read/reading-hints.ts";
import { hasPayload } from "#storage/job-records.ts";
import { Button, IconButton } from "#ui/button.tsx";
import type { CreateSearch, ReusedPart } from "./create-search.ts";
import { focusFreePrompt } from "./form-focus.ts";
import { type JobSettings, type Prefill, type PrefillFile, readPrefill } from "./read-prefill.ts";

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
  // Of a job that this browser sent the payload is stored; for another one the service is asked, which may return it.
  const loadJob = async (requestId: string): Promise<JobSettings | undefined> => {
    const stored = tracked.find((job) => job.requestId === requestId);
    const job = stored && hasPayload(stored) ? stored : await client.fetchQuery(jobQueries(api).detail(requestId));
    if (!job.payload) return undefined;
    return { payload: job.payload, schema: await schemaOfOther(job.model) };
  };
  /** The parameters of another model: values are carried between models by their meaning, so both lists are needed. */
  const schemaOfOther = async (model: string | undefined) => {
    if (model === undefined || model === prefill.to) return undefined;
    const { raw } = await client.fetchQuery(modelQueries(api).detail(model));
    return readSchema(raw, { place: getSchemaPlace(getConnection()?.queueBaseUrl) });
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
  // The notice shows the file, because its field may be far below.
  const file = prefill.kind === "media" ? prefill.file : undefined;
  return (
    <div role="status" className="flex items-start gap-2 rounded-md border border-line bg-raised px-3 py-1.5 text-sm">
      {before && file && (
        <span className="relative my-0.5 size-10 shrink-0 overflow-hidden rounded-sm bg-well">
          <MediaThumb isSmall alt="" item={{ id: "", url: file.address, kind: file.as ?? "image" }} />
        </span>
      )}
      <span className={clsx("wrap-anywhere min-w-0 flex-1 text-ink-2", file ? "self-center" : "py-1")}>
        {/* The line takes its space while the values are read, so that the form does not move afterwards. */}
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

/** `Omit` for each member of a union. */
type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

/** How the form of a model is connected with the rest of Create. */
export interface FormLinks {
  /** The form of the model in view, from which values are carried to another model. */
  formRef: RefObject<FormHandle | undefined>;
  /** Values to be put into this form. */
  prefill: Prefill | undefined;
  onPrefilled: () => void;
  /** Puts settings that were read from a dropped file into the form of their model. */
  onSettings: (settings: FileSettings, fileName: string) => void;
}

/** What is put into the form of the model in view: from another model, a file, a link or an earlier job. */
export function usePrefill(
  modelId: string | undefined,
  { job, from, keep = "all", p, put, as, over }: CreateSearch,
): FormLinks & { carryTo: (modelId: string) => void } {
  const navigate = useNavigate();
  const formRef = useRef<FormHandle>(undefined);
  const [prefill, setPrefill] = useState<Prefill>();
  const add = (next: Without<Prefill, "id">) => setPrefill((old) => ({ ...next, id: (old?.id ?? 0) + 1 }));

  useEffect(() => {
    if (modelId === undefined) return;
    const file = put === undefined ? undefined : { address: put, as, over };
    const found = fromSearch({ from, keep, p, file });
    if (!found) return;
    setPrefill((old) => ({ id: (old?.id ?? 0) + 1, to: modelId, ...found }));
    // Takes the values out of the URL, because a reload must not put them in again.
    void navigate({ to: "/create/$modelId", params: { modelId }, search: job ? { job } : {}, replace: true });
  }, [modelId, p, put, as, over, job, from, keep, navigate]);

  return {
    formRef,
    prefill: prefill?.to === modelId ? prefill : undefined,
    onPrefilled: () => setPrefill(undefined),
    carryTo: (id) => {
      const from = formRef.current;
      if (!from || from.modelId !== modelId || id === modelId) return;
      const payload = from.getPayload();
      if (Object.keys(payload).length > 0) add({ to: id, kind: "carry", from: from.schema, payload });
    },
    onSettings: ({ model, payload }, fileName) => {
      add({ to: model, kind: "file", fileName, payload });
      if (model !== modelId) void navigate({ to: "/create/$modelId", params: { modelId: model }, search: {} });
    },
  };
}

/** What the search part of the URL asks for: the settings of a job, a file, or settings in the link itself. */
function fromSearch({
  from,
  keep,
  p,
  file,
}: {
  from: string | undefined;
  keep: ReusedPart;
  p: string | undefined;
  file: PrefillFile | undefined;
}): Without<Prefill, "id" | "to"> | undefined {
  if (from !== undefined) return { kind: "job", requestId: from, keep, file };
  if (file) return { kind: "media", file };
  return p === undefined ? undefined : { kind: "link", words: p };
}
