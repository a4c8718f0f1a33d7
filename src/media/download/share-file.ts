import type { Job } from "#api/types.ts";
import { toast } from "#ui/toast-store.ts";
import { FAILURE_WORDS, MediaError } from "../media-failure.ts";
import { readMediaFile } from "./download-media.ts";

interface Sharer {
  canShare?(data: { files: File[] }): boolean;
  share?(data: { files: File[] }): Promise<void>;
}

/** Whether this browser can give a file to another app. */
export function canShareFiles(): boolean {
  const { canShare, share } = navigator as Sharer;
  if (!canShare || !share) return false;
  try {
    return canShare.call(navigator, { files: [new File([], "image.png", { type: "image/png" })] });
  } catch {
    return false;
  }
}

/**
 * Gives one file of a job to another app, by the browser's own dialog. The file alone: no address, prompt or settings
 * go along. A failure is shown; nothing is shown to a person who closes the dialog.
 */
export async function shareFile(job: Job, index: number): Promise<void> {
  const item = job.media[index];
  if (!item) return;
  try {
    const { blob, name } = await readMediaFile({ job, item, index });
    await navigator.share({ files: [new File([blob], name, { type: blob.type })] });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    if (error instanceof MediaError) {
      const { title, body } = FAILURE_WORDS[error.failure];
      toast({ tone: "error", title, body });
    } else {
      // A large file takes longer than a browser waits after a press, and some apps take no such file.
      toast({
        tone: "error",
        title: "Not shared",
        body: "The browser didn’t open its share dialog. Download the file and share it from there.",
      });
    }
  }
}
