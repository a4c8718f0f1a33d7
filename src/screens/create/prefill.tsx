import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { jobQueries } from "#jobs/job-queries.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { FileSettings } from "#media/metadata/file-settings.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { Button, IconButton } from "#ui/button.tsx";
import type { CreateSearch, Keep } from "./create-search.ts";
import { type Prefill, type PrefillFile, readPrefill } from "./read-prefill.ts";

type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

/** How the form of a model is connected with the rest of Create. */
export interface FormLinks {
  /** The form of the model in view, from which values are carried to another model. */
  formRef: RefObject<FormHandle | undefined>;
  /** Values to be put into this form. */
  prefill: Prefill | undefined;
  onPrefilled: () => void;
  /** Settings were read from a dropped file: they go into the form of their model. */
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
    // Once it is in the form it is a draft like any other: a reload must not bring the link's values back.
    void navigate({ to: "/create/$modelId", params: { modelId }, search: job ? { job } : {}, replace: true });
  }, [modelId, p, put, as, over, job, from, keep, navigate]);

  return {
    formRef,
    prefill: prefill?.to === modelId ? prefill : undefined,
    onPrefilled: () => setPrefill(undefined),
    carryTo: (id) => {
      const from = formRef.current;
      if (!from || from.modelId !== modelId || id === modelId) return;
      add({ to: id, kind: "carry", from: from.schema, payload: from.getPayload() });
    },
    onSettings: ({ model, payload }, fileName) => {
      add({ to: model, kind: "file", fileName, payload });
      if (model !== modelId) void navigate({ to: "/create/$modelId", params: { modelId: model }, search: {} });
    },
  };
}

/** What the search part of the address asks for: the settings of a job, a file, or settings in the link itself. */
function fromSearch({
  from,
  keep,
  p,
  file,
}: {
  from: string | undefined;
  keep: Keep;
  p: string | undefined;
  file: PrefillFile | undefined;
}): Without<Prefill, "id" | "to"> | undefined {
  if (from !== undefined) return { kind: "job", requestId: from, keep, file };
  if (file) return { kind: "media", file };
  return p === undefined ? undefined : { kind: "link", words: p };
}

/** Puts the values into the form once, says in one line what was put in and what was not, and can undo it. Give it the id as key. */
export function PrefillNotice({ prefill, form, onDone }: { prefill: Prefill; form: FormHandle; onDone: () => void }) {
  const [message, setMessage] = useState<string>();
  const [before, setBefore] = useState<JsonRecord>();
  const isDone = useRef(false);
  const api = useApi();
  const client = useQueryClient();
  const tracked = useTrackedJobs();
  // The payload of a job that this browser sent is known exactly; of other jobs the service may say it.
  const loadPayload = async (requestId: string) => {
    const sent = tracked.find((job) => job.requestId === requestId)?.payload;
    if (sent && Object.keys(sent).length > 0) return sent;
    return (await client.fetchQuery(jobQueries(api).detail(requestId))).payload;
  };
  const fill = useEffectEvent(async () => {
    if (isDone.current) return;
    isDone.current = true;
    const present = form.getPayload();
    const result = await readPrefill(prefill, { schema: form.schema, present, loadPayload });
    if (result.payload) {
      form.setPayload(result.payload);
      setBefore(present);
    }
    setMessage(result.message);
  });
  useEffect(() => void fill(), []);

  if (message === undefined) return null;
  return (
    <div
      role="status"
      className="flex items-start gap-2 rounded-md border border-line bg-raised px-3 py-1.5 text-[12.5px]"
    >
      <span className="wrap-anywhere min-w-0 flex-1 py-1 text-ink-2">{message}</span>
      {before && (
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            form.setPayload(before);
            onDone();
          }}
        >
          Undo
        </Button>
      )}
      <IconButton size="sm" label="Dismiss" onClick={onDone}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  );
}
