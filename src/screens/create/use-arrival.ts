import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { FormStore } from "#schema-form/form-store.ts";
import type { Arrival } from "./arrival.ts";
import type { CreateSearch } from "./create-search.ts";
import type { FormLinks } from "./payload-form.tsx";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

/** Values that move between models, out of a file or out of a link, into the form of the model in view. */
export function useArrival(
  modelId: string | undefined,
  { job, p }: CreateSearch,
): FormLinks & { carryTo: (modelId: string) => void } {
  const navigate = useNavigate();
  const storeRef = useRef<FormStore>(undefined);
  const [arrival, setArrival] = useState<Arrival>();
  const announce = (next: WithoutId<Arrival>) => setArrival((old) => ({ ...next, id: (old?.id ?? 0) + 1 }));

  useEffect(() => {
    if (modelId === undefined || p === undefined) return;
    setArrival((old) => ({ id: (old?.id ?? 0) + 1, to: modelId, kind: "link", words: p }));
    // Once it is in the form it is a draft like any other: a reload must not bring the link's values back.
    void navigate({ to: "/create/$modelId", params: { modelId }, search: job ? { job } : {}, replace: true });
  }, [modelId, p, job, navigate]);

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
