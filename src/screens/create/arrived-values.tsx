import { useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { jobQueries } from "#jobs/job-queries.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import type { JsonRecord } from "#lib/json.ts";
import type { FormStore } from "#schema-form/form/form-store.ts";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import type { Arrival } from "./arrival.ts";
import { readArrival } from "./read-arrival.ts";

/** Puts arriving values into the form once, says in one line what came and what did not, and can take it back. Give it the id as key. */
export function ArrivedValues({ arrival, store, onDone }: { arrival: Arrival; store: FormStore; onDone: () => void }) {
  const [told, setTold] = useState<string>();
  const [before, setBefore] = useState<JsonRecord>();
  const isTaken = useRef(false);
  const api = useApi();
  const client = useQueryClient();
  const tracked = useTrackedJobs();
  // What this browser sent it knows to the byte; of other jobs the service may tell.
  const loadPayload = async (requestId: string) => {
    const sent = tracked.find((job) => job.requestId === requestId)?.payload;
    if (sent && Object.keys(sent).length > 0) return sent;
    return (await client.fetchQuery(jobQueries(api).detail(requestId))).payload;
  };
  const take = useEffectEvent(async () => {
    if (isTaken.current) return;
    isTaken.current = true;
    const present = store.getPayload();
    const read = await readArrival(arrival, { schema: store.schema, present, loadPayload });
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
