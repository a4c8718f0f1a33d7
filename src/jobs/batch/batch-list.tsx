import { useState, useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { StatusDot } from "#ui/indicators.tsx";
import { lazyNamed } from "#ui/lazy-named.tsx";
import { batchesOf } from "../stored-batches.ts";
import { useBatches } from "./use-batches.ts";

const BatchDialog = lazyNamed(() => import("./batch-dialog.tsx"), "BatchDialog");

/** The batches in the rail: how many runs of each were sent, and whether it goes on. Each opens its dialog. */
export function BatchList() {
  const stored = batchesOf(useConnection()?.accountId ?? "");
  const hasAny = useSyncExternalStore(stored.subscribe, stored.snapshot).length > 0;
  // Without a batch the outbox is not read.
  return hasAny && <StoredBatches />;
}

function StoredBatches() {
  const batches = useBatches();
  const [openId, setOpenId] = useState<string>();
  const opened = batches.views.find(({ batch }) => batch.id === openId);
  return (
    <section aria-label="Lined up">
      <h2 className="m-0 px-[9px] pt-3 pb-1.5 font-normal text-[12.5px] text-ink-3">Lined up</h2>
      <ul className="m-0 flex list-none flex-col gap-0.5 p-0">
        {batches.views.map(({ batch, items, run, sums }) => (
          <li key={batch.id}>
            <button
              type="button"
              className="flex min-h-11 w-full cursor-pointer items-center gap-2.5 rounded-sm border-0 bg-transparent px-[9px] py-1.5 text-left text-ink transition-[background-color] duration-150 hover:bg-raised"
              onClick={() => setOpenId(batch.id)}
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{batch.items[0]?.request.model ?? "Empty"}</span>
                <span className="block truncate text-[12px] text-ink-3 tabular-nums">
                  {sums.sent} of {items.length} sent
                  {sums.waiting > 0 && run.phase === "paused" && " · paused"}
                </span>
              </span>
              <StatusDot tone={sums.waiting === 0 ? "success" : run.phase === "running" ? "queued" : "unconfirmed"} />
            </button>
          </li>
        ))}
      </ul>
      {opened && <BatchDialog view={opened} batches={batches} onClose={() => setOpenId(undefined)} />}
    </section>
  );
}
