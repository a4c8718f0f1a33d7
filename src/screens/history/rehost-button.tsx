import { useState } from "react";
import { Button, type ButtonProps } from "#ui/button.tsx";
import { toast } from "#ui/toast-store.ts";
import type { HistoryEntry } from "./history-entry.ts";
import { type RehostTrouble, useRehost } from "./use-rehost.ts";

interface RehostButtonProps extends Pick<ButtonProps, "size" | "className" | "tabIndex"> {
  entry: HistoryEntry;
  /** Where there is room for a sentence below it; else a toast tells what went wrong. */
  hasRoom?: boolean;
}

const WORDS: Record<RehostTrouble, string> = {
  refused:
    "Its host lets this page have nothing either. Save the file from its own page, then drop it on Create. Nothing was charged.",
  unstored: "The file could not be stored with the service. Nothing was charged.",
};

/** "Re-host and run again", for a job of which `canRehost` is true. Give it the job's id as its key. */
export function RehostButton({ entry, hasRoom = false, ...look }: RehostButtonProps) {
  const { isBusy, rehost } = useRehost(entry);
  const [trouble, setTrouble] = useState<RehostTrouble>();
  async function press() {
    setTrouble(undefined);
    const found = await rehost();
    if (found && !hasRoom) toast({ tone: "error", title: "The input was not stored again", body: WORDS[found] });
    setTrouble(found);
  }
  const button = (
    <Button {...look} busy={isBusy} onClick={() => void press()}>
      Re-host and run again
    </Button>
  );
  if (!hasRoom) return button;
  return (
    <div role="status" className="grid justify-items-center gap-2">
      {button}
      {trouble && <p className="m-0 text-[12.5px] text-ink-2">{WORDS[trouble]}</p>}
    </div>
  );
}
