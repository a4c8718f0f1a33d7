import { CloudUpload } from "lucide-react";
import { useState } from "react";
import { CommandButton } from "#ui/command-button.tsx";
import { uploadCommands } from "../commands.ts";
import { nameInAddress } from "../file-address.ts";
import { readMedia } from "../read-media.ts";

/** Offers to store a file of another host with the service, for a host that refuses data centres (spec 4.1 rule 4). */
export function MediaRehost({
  address,
  label,
  hasFailedJob,
  onFile,
}: {
  address: string;
  /** What its field is called. */
  label: string;
  /** A job failed because of it, which is more than that this page could not show it. */
  hasFailedJob: boolean;
  onFile: (file: File) => void;
}) {
  const [phase, setPhase] = useState<"asking" | "fetching" | "refused">("asking");
  async function rehost() {
    setPhase("fetching");
    try {
      const bytes = await (await readMedia(address)).arrayBuffer();
      setPhase("asking");
      onFile(new File([bytes], nameInAddress(address) ?? "input"));
    } catch {
      setPhase("refused");
    }
  }
  return (
    <div role="status" className="flex items-start gap-2 text-[12.5px] text-ink-2">
      <span className="min-w-0 flex-1">
        {phase === "refused"
          ? "The host refuses this page, too. Download the file from its own page and drop it here."
          : hasFailedJob
            ? "A job failed because this host refused the service. Upload a copy to the service to use it."
            : "The host does not let this page show the file. It may refuse the service, too."}
      </span>
      {phase !== "refused" && (
        <CommandButton
          size="sm"
          busy={phase === "fetching"}
          command={{
            ...uploadCommands.rehost,
            label: `Re-host ${label}`,
            icon: CloudUpload,
            run: () => void rehost(),
          }}
        >
          Re-host
        </CommandButton>
      )}
    </div>
  );
}
