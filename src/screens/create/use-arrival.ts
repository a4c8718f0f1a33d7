import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { FormStore } from "#schema-form/form/form-store.ts";
import type { Arrival, ArrivingFile } from "./arrival.ts";
import type { CreateSearch, Keep } from "./create-search.ts";
import type { FormLinks } from "./payload-form.tsx";

type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

/** Values that move between models, out of a file or out of a link, into the form of the model in view. */
export function useArrival(
  modelId: string | undefined,
  { job, from, keep = "all", p, put, as, over }: CreateSearch,
): FormLinks & { carryTo: (modelId: string) => void } {
  const navigate = useNavigate();
  const storeRef = useRef<FormStore>(undefined);
  const [arrival, setArrival] = useState<Arrival>();
  const announce = (next: Without<Arrival, "id">) => setArrival((old) => ({ ...next, id: (old?.id ?? 0) + 1 }));

  useEffect(() => {
    if (modelId === undefined) return;
    const file = put === undefined ? undefined : { address: put, as, over };
    const arriving = arrivingOf({ from, keep, p, file });
    if (!arriving) return;
    setArrival((old) => ({ id: (old?.id ?? 0) + 1, to: modelId, ...arriving }));
    // Once it is in the form it is a draft like any other: a reload must not bring the link's values back.
    void navigate({ to: "/create/$modelId", params: { modelId }, search: job ? { job } : {}, replace: true });
  }, [modelId, p, put, as, over, job, from, keep, navigate]);

  return {
    storeRef,
    arrival: arrival?.to === modelId ? arrival : undefined,
    onArrived: () => setArrival(undefined),
    carryTo: (id) => {
      const from = storeRef.current;
      if (!from || from.modelId !== modelId || id === modelId) return;
      announce({ to: id, kind: "carry", from: from.schema, payload: from.getPayload() });
    },
    onSettings: ({ model, payload }, fileName) => {
      announce({ to: model, kind: "file", fileName, payload });
      if (model !== modelId) void navigate({ to: "/create/$modelId", params: { modelId: model }, search: {} });
    },
  };
}

/** What an address of Create brings along: the settings of a job, a file, or the settings in the link itself. */
function arrivingOf({
  from,
  keep,
  p,
  file,
}: {
  from: string | undefined;
  keep: Keep;
  p: string | undefined;
  file: ArrivingFile | undefined;
}): Without<Arrival, "id" | "to"> | undefined {
  if (from !== undefined) return { kind: "job", requestId: from, keep, file };
  if (file) return { kind: "media", file };
  return p === undefined ? undefined : { kind: "link", words: p };
}
