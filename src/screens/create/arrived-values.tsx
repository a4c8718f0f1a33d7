import { X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { JsonRecord } from "#lib/json.ts";
import type { FormStore } from "#schema-form/form-store.ts";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import type { Arrival } from "./arrival.ts";
import { readArrival } from "./read-arrival.ts";

/** Puts arriving values into the form once, says in one line what came and what did not, and can take it back. Give it the id as key. */
export function ArrivedValues({ arrival, store, onDone }: { arrival: Arrival; store: FormStore; onDone: () => void }) {
  const [told, setTold] = useState<string>();
  const [before, setBefore] = useState<JsonRecord>();
  const isTaken = useRef(false);
  const take = useEffectEvent(async () => {
    if (isTaken.current) return;
    isTaken.current = true;
    const present = store.getPayload();
    const read = await readArrival(arrival, store.schema, present);
    if (read.payload) {
      store.setPayload(read.payload);
      setBefore(present);
    }
    setTold(read.told);
  });
  useEffect(() => void take(), []);

  if (told === undefined) return null;
  return (
    <div
      role="status"
      className="flex items-start gap-2 rounded-md border border-line bg-raised px-3 py-1.5 text-[12.5px]"
    >
      <span className="wrap-anywhere min-w-0 flex-1 py-1 text-ink-2">{told}</span>
      {before && (
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            store.setPayload(before);
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
