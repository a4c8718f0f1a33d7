import type { LedgerLine } from "#runs/ledger/ledger.ts";
import type { TrackedJob } from "#storage/job-records.ts";

/**
 * What each model makes, as far as a finished job or an answer of it showed: "image", "video", "text". Empty where none
 * did.
 */
export function kindOfModels(tracked: readonly TrackedJob[], lines: readonly LedgerLine[]): (model: string) => string {
  const kinds = new Map<string, string>();
  for (const { model, answerId } of lines) if (model !== undefined && answerId !== undefined) kinds.set(model, "text");
  for (const { model, media } of tracked) {
    const kind = media[0]?.kind;
    if (kind && model !== undefined) kinds.set(model, kind);
  }
  return (model) => kinds.get(model) ?? "";
}
