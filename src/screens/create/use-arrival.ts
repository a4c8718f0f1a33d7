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
  { job, from, keep, p, put, as, over }: CreateSearch,
): FormLinks & { carryTo: (modelId: string) => void } {
  const navigate = useNavigate();
  const storeRef = useRef<FormStore>(undefined);
  const [arrival, setArrival] = useState<Arrival>();
  const announce = (next: WithoutId<Arrival>) => setArrival((old) => ({ ...next, id: (old?.id ?? 0) + 1 }));

  useEffect(() => {
    if (modelId === undefined || (p === undefined && put === undefined)) return;
    const arriving =
      put === undefined
        ? ({ kind: "link", words: p ?? "" } as const)
        : ({ kind: "media", address: put, as, over } as const);
    setArrival((old) => ({ id: (old?.id ?? 0) + 1, to: modelId, ...arriving }));
    // Once it is in the form it is a draft like any other: a reload must not bring the link's values back.
    const search = { ...(job && { job }), ...(from && { from }), ...(keep && { keep }) };
    void navigate({ to: "/create/$modelId", params: { modelId }, search, replace: true });
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
