import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { MediaItem } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { resultCommands } from "#jobs/commands.ts";
import { refusedInputs } from "#jobs/job-inputs.ts";
import { useReuse } from "#jobs/reuse/use-reuse.ts";
import { isFileDeleted, isMediaDeleted } from "#media/deleted-media.ts";
import { readMedia } from "#media/read-media.ts";
import { uploadFile } from "#media/upload/upload-file.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Button, type ButtonProps, type ButtonSize } from "#ui/button.tsx";
import type { Acts } from "#ui/command-store.ts";
import type { CommandInfo } from "#ui/commands.ts";
import { Menu } from "#ui/menu.tsx";
import { toast } from "#ui/toast-store.ts";

interface RehostButtonProps extends Pick<ButtonProps, "size" | "className" | "tabIndex" | "variant"> {
  entry: JobRecord;
  /** Where there is room for a sentence below it; else a toast shows what went wrong. */
  hasRoom?: boolean;
}

const WORDS: Record<RehostTrouble, string> = {
  refused:
    "The file’s host does not allow this page to read it. Save the file in your browser, then drop it on Create. Nothing was charged.",
  unstored: "The file could not be uploaded to the service. Nothing was charged.",
};

/** "Upload the input again", for a job of which `canRehost` is true. Give it the job's id as its key. */
export function RehostButton({ entry, hasRoom = false, ...look }: RehostButtonProps) {
  const { isBusy, rehost } = useRehost(entry);
  const [trouble, setTrouble] = useState<RehostTrouble>();
  async function press() {
    setTrouble(undefined);
    const found = await rehost();
    if (found && !hasRoom) toast({ tone: "error", title: "The input was not uploaded", body: WORDS[found] });
    setTrouble(found);
  }
  const button = (
    <Button {...look} busy={isBusy} onClick={() => void press()}>
      Upload the input again
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

/** Why an input could not be stored again: its host refuses this page as well, or the service did not take it. */
type RehostTrouble = "refused" | "unstored";

interface Rehost {
  isBusy: boolean;
  /** Stores the refused input with the service and opens the form. What went wrong, if anything did. */
  rehost: () => Promise<RehostTrouble | undefined>;
}

/** Whether a job failed because the host of its input refused the service (spec 4.1 rule 4), and the input is there. */
export function canRehost(entry: JobRecord): boolean {
  return entry.model !== undefined && refusedHere(entry).length > 0;
}

function refusedHere(entry: JobRecord): string[] {
  return refusedInputs(entry).filter((address) => !isFileDeleted(address));
}

/**
 * For a job that failed because the host of its input refused the service: stores the input with the service and opens
 * the form with everything else as it was. The price stands on Run, and nothing is sent before that.
 */
function useRehost(entry: JobRecord): Rehost {
  const api = useApi();
  const accountId = useConnection()?.accountId ?? "";
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);

  async function rehost(): Promise<RehostTrouble | undefined> {
    const [refused] = refusedHere(entry);
    if (!refused || !entry.model) return undefined;
    const file = await readMedia(refused)
      .then(async (blob) => new File([await blob.arrayBuffer()], "input"))
      .catch(() => undefined);
    if (!file) return "refused";
    try {
      const { publicUrl } = await uploadFile({ api, accountId, file });
      const search = { from: entry.requestId, keep: "all", put: publicUrl, over: refused } as const;
      await navigate({ to: "/create/$modelId", params: { modelId: entry.model }, search });
      return undefined;
    } catch {
      return "unstored";
    }
  }
  return {
    isBusy,
    rehost: async () => {
      setIsBusy(true);
      return rehost().finally(() => setIsBusy(false));
    },
  };
}

const REUSED = ["editAgain", "newSeed", "reusePrompt", "reuseSeed"] as const;

/** What goes into the form of a job's model, by the command that does it. */
export function useReuseActs(entry: JobRecord | undefined): Acts<typeof resultCommands> {
  const reuse = useReuse();
  if (entry?.model === undefined) return {};
  return {
    editAgain: () => reuse(entry, "all"),
    newSeed: () => reuse(entry, "noseed"),
    reusePrompt: () => reuse(entry, "prompt"),
    reuseSeed: () => reuse(entry, "seed"),
  };
}

interface ReuseMenuProps {
  /** Those that are possible now. */
  acts: Acts<typeof resultCommands>;
  /** The file that is shown, where it can be an input. */
  item: MediaItem | undefined;
  size?: ButtonSize | undefined;
}

/**
 * Puts settings of this job into the form of its model, or its file into the form of another. Create shows the exact
 * price on its Run button before anything is run.
 */
export function ReuseMenu({ acts, item, size }: ReuseMenuProps) {
  const itemOf = (command: CommandInfo, label: string, act: (() => unknown) | undefined) =>
    act ? [{ label, command, onSelect: () => void act() }] : [];
  const items = [
    ...REUSED.flatMap((name) => itemOf(resultCommands[name], resultCommands[name].label, acts[name])),
    ...itemOf(resultCommands.input, AS_INPUT[item?.kind ?? "other"], acts.input),
  ];
  return items.length > 0 ? <Menu label="Reuse" align="end" items={items} size={size} /> : null;
}

const AS_INPUT: Record<MediaItem["kind"], string> = {
  image: "Animate or edit…",
  video: "Use as input…",
  audio: "Use as input…",
  other: "Use as input…",
};

/** The file of a job that another model can be given: it has an address of its own, and was not deleted. */
export function inputOf(entry: JobRecord, file: number): MediaItem | undefined {
  const item = entry.media[file];
  const isGone = isMediaDeleted(entry.requestId) || (item && isFileDeleted(item.url));
  return item && /^https?:/i.test(item.url) && !isGone ? item : undefined;
}
