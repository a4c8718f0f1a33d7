import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { FileSettings } from "#media/metadata/file-settings.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import type { CreateSearch, ReusedPart } from "./create-search.ts";
import type { Prefill, PrefillFile } from "./read-prefill.ts";

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
    // Once it is in the form it is a draft like any other: a reload must not put the link's values in again.
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

/** What the search part of the address asks for: the settings of a job, a file, or settings in the link itself. */
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
