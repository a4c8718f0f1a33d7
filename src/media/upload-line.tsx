import { explainError } from "#api/explain-error.ts";
import { Button } from "#ui/button.tsx";
import { UnusableFileError } from "./unusable-file-error.ts";
import type { UploadState } from "./use-upload.ts";

interface UploadLineProps {
  state: Exclude<UploadState, { phase: "idle" | "waiting" }>;
  onCancel: () => void;
  onRetry: () => void;
}

/** What an upload is doing, or why it did not work and what can be done. */
export function UploadLine({ state, onCancel, onRetry }: UploadLineProps) {
  if (state.phase === "sending" || state.phase === "converting") {
    const percent = percentOf(state);
    const act = state.phase === "sending" ? "Uploading" : "Converting";
    return (
      <div className="flex items-center gap-2 text-[12.5px] text-ink-2">
        <span className="min-w-0 flex-1">
          <span className="flex gap-2">
            <span className="min-w-0 truncate">
              {act} {state.file.name}
            </span>
            <span className="shrink-0 tabular-nums">{percent}%</span>
          </span>
          <progress
            className="block h-1 w-full overflow-hidden rounded-full accent-accent"
            aria-label={`${act} ${state.file.name}`}
            value={percent}
            max={100}
          />
        </span>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    );
  }
  const { text, retryable } = problemOf(state.error);
  return (
    <div role="alert" className="flex items-start gap-2 text-[12.5px] text-failed">
      <span className="wrap-anywhere min-w-0 flex-1">{text}</span>
      {retryable && (
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

function percentOf(state: Extract<UploadState, { phase: "sending" | "converting" }>): number {
  if (state.phase === "converting") return Math.floor(state.done * 100);
  return state.total > 0 ? Math.floor((state.sent / state.total) * 100) : 0;
}

function problemOf(error: unknown): { text: string; retryable: boolean } {
  if (error instanceof UnusableFileError) return { text: error.message, retryable: false };
  const { title, body, nextStep, retryable } = explainError(error, "upload");
  return { text: `${title}. ${body} ${nextStep}`, retryable };
}
