import type { BulkFailure } from "./bulk-job.ts";

export function filesText(files: number): string {
  return files === 1 ? "1 file" : `${files.toLocaleString("en-US")} files`;
}

/** What was saved, and where: "93 files saved as safelight.zip". */
export function savedText({ saved, where }: { saved: number; where: string }): string {
  return `${filesText(saved)} saved ${where}`;
}

/** What could not be had; undefined where all was. */
export function lostText(failures: readonly BulkFailure[]): string | undefined {
  return failures.length === 0
    ? undefined
    : `${failures.length} could not be downloaded. They are listed in errors.txt.`;
}
