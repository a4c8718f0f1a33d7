import { Download } from "lucide-react";
import { type ReactNode, type Ref, useRef, useState } from "react";
import type { Job } from "#api/types.ts";
import { formatNumber } from "#lib/numbers.ts";
import { Button, type ButtonSize, type ButtonVariant } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { type CommandInfo, useCommands } from "#ui/commands.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { toast } from "#ui/toast-store.ts";
import { isMediaDeleted } from "../deleted-media.ts";
import { downloadJob } from "./download-media.ts";

interface DownloadButtonProps {
  job: Job;
  /** Only this file of the job, from 0; all of them where not given. */
  index?: number | undefined;
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  /** Lists it in the palette and binds its keys. */
  command?: CommandInfo | undefined;
  /** The accessible name, where it says more than what stands on the button. */
  label?: string | undefined;
  tabIndex?: number | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
  /** Shown in place of "Download". */
  children?: ReactNode;
  template?: string | undefined;
  className?: string | undefined;
}

/**
 * Downloads one file or all files of a job under sensible names. Toasts say what was opened in a new tab instead, and
 * what could not be downloaded, with the reasons. Shows nothing for a job without media.
 */
export function DownloadButton({
  job,
  index,
  command,
  label,
  children = "Download",
  template,
  ...look
}: DownloadButtonProps) {
  const [progress, setProgress] = useState<{ done: number; total: number; isWaiting?: boolean }>();
  const isRunning = useRef(false);
  const props = useCommandProps(command);
  const isOffered = command && job.media.length > 0;
  useCommands(isOffered ? [{ ...command, label: label ?? command.label, icon: Download, run: () => void run() }] : []);
  if (job.media.length === 0) return null;

  async function run() {
    if (isRunning.current) return;
    isRunning.current = true;
    setProgress({ done: 0, total: 1 });
    try {
      const isDeleted = isMediaDeleted(job.requestId);
      const onProgress = (done: number, total: number) => setProgress({ done, total });
      const onWait = (isWaiting: boolean) => setProgress((last) => last && { ...last, isWaiting });
      const options = { only: index, template, isDeleted, onProgress, onWait };
      const { reasons, saved, opened } = await downloadJob(job, options);
      const isAnyHere = saved + opened > 0;
      const title = opened > 0 ? "Opened in a new tab" : "Some files couldn’t be downloaded";
      for (const body of reasons)
        toast({ title: isAnyHere ? title : "Nothing downloaded", body, tone: opened ? "info" : "error" });
    } finally {
      isRunning.current = false;
      setProgress(undefined);
    }
  }

  return (
    <Button {...look} aria-label={label} {...props} busy={progress !== undefined} onClick={() => void run()}>
      {!progress && <Download aria-hidden className="size-4" />}
      {progress?.isWaiting
        ? "Waiting for other transfers"
        : progress && progress.total > 1
          ? `${formatNumber(progress.done + 1)} of ${formatNumber(progress.total)}`
          : children}
      <Kbd command={command} />
    </Button>
  );
}
