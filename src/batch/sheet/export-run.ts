import { create } from "zustand";
import { counted, formatNumber } from "#lib/numbers.ts";
import { toast } from "#ui/toast-store.ts";

/** Thrown where an export cannot be made. `message` is for the screen, in whole sentences. */
export class ExportError extends Error {
  override readonly name = "ExportError";
}

// Similar to `BulkRun` and other states of long acts, but no common type: each panel needs fields that the others do not have.
type ExportRun =
  | { phase: "idle" }
  /** `label`: what is made, such as "Image". `done` of `total` results are read. */
  | { phase: "running"; label: string; done: number; total: number; stop: () => void };

/** The one export under way. It continues on other screens. */
export const useExportRun = create<{ run: ExportRun }>(() => ({ run: { phase: "idle" } }));

interface ExportProgressOptions {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

/** The result of an export: the name of the file, and what is missing in it, in a sentence. */
interface ExportResult {
  name: string;
  missing: string | undefined;
}

/**
 * Makes an export and shows its outcome as a toast; refuses while another one is under way. `make` resolves to undefined where
 * the person canceled the dialog for the file. A failure is only shown, and nothing is saved then.
 */
export async function runExport(
  label: string,
  make: (options: ExportProgressOptions) => Promise<ExportResult | undefined>,
): Promise<void> {
  if (useExportRun.getState().run.phase === "running") {
    toast({ title: "Export in progress", body: "Wait for it to finish, or cancel it." });
    return;
  }
  const controller = new AbortController();
  const show = (done: number, total: number) =>
    useExportRun.setState({ run: { phase: "running", label, done, total, stop: () => controller.abort() } });
  show(0, 0);
  try {
    const exported = await make({ signal: controller.signal, onProgress: show });
    if (exported && exported.missing === undefined) toast({ tone: "success", title: `Saved as ${exported.name}` });
    else if (exported)
      toast({ tone: "warning", title: `Saved as ${exported.name}, incomplete`, body: exported.missing });
  } catch (error) {
    if (controller.signal.aborted) toast({ title: "Export cancelled", body: "Nothing was saved." });
    else
      toast({
        tone: "error",
        title: "Export not saved",
        body: failureText(error),
      });
  } finally {
    useExportRun.setState({ run: { phase: "idle" } });
  }
}

const WRITE_PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: "The browser doesn’t allow writing to this file.",
  SecurityError: "The browser doesn’t allow writing to this file.",
  NotFoundError: "The folder no longer exists.",
  QuotaExceededError: "The disk is full.",
  NoModificationAllowedError: "Another program is using a file with that name.",
};

function failureText(error: unknown): string {
  if (error instanceof ExportError) return error.message;
  const known = error instanceof DOMException ? WRITE_PROBLEMS[error.name] : undefined;
  if (known !== undefined) return known;
  return error instanceof RangeError
    ? "Not enough memory. Select fewer results."
    : "Couldn’t create the file. Select fewer results, then try again.";
}

/** What an export lacks, in a sentence; undefined where it is complete. `words`: one reason for each missing result. */
export function missingText(words: readonly string[], total: number): string | undefined {
  if (words.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const reasons = [...counts].map(([word, count]) => `${word} (${formatNumber(count)})`).join(", ");
  return `${formatNumber(words.length)} of ${counted(total, "result")} couldn’t be included: ${reasons}.`;
}
