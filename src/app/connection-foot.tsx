import { LogOut } from "lucide-react";
import { useState } from "react";
import type { Connection } from "#connection/connection.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { OnDemand } from "#ui/on-demand.tsx";
import { ForgetKeyDialog } from "./forget-key.ts";

/** Who is connected: the name, the last four characters of the key, that nothing is kept where so, and the way out. */
export function ConnectionFoot({ connection }: { connection: Connection }) {
  const [isAsking, setIsAsking] = useState(false);
  const isForgotten = useStorageState(({ kind }) => kind === "memory");
  return (
    <div className="mt-2 flex items-center gap-[9px] rounded-sm px-[9px] py-1.5">
      <span
        aria-hidden="true"
        className="grid size-[30px] shrink-0 place-items-center rounded-full bg-raised font-semibold text-[12px]"
      >
        {connection.name.charAt(0).toUpperCase()}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate" title={connection.name}>
          {connection.name}
        </span>
        <span className="block truncate font-mono text-[11px] text-ink-3">
          {connection.isSandbox ? "nothing charged" : `key ····${connection.keyHint}`}
        </span>
        {isForgotten && <span className="block text-[11px] text-unconfirmed">nothing is kept here</span>}
      </span>
      <IconButton label="Disconnect" size="sm" onClick={() => setIsAsking(true)}>
        <LogOut aria-hidden="true" className="size-4" />
      </IconButton>
      <OnDemand when={isAsking}>
        <ForgetKeyDialog open={isAsking} onOpenChange={setIsAsking} connection={connection} />
      </OnDemand>
    </div>
  );
}
