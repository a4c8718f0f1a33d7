import { formatDecimals } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button } from "#ui/button.tsx";
import { fileSize } from "../file-kind.ts";
import { timeLeftText } from "./upload-pace.ts";
import type { UploadState } from "./upload-store.ts";
import { uploadProblem } from "./uploads.ts";

/** The share of an upload that is done, from 0 to 1, while it is known. */
export function uploadShare(state: UploadState): number | undefined {
  if (state.phase === "converting") return state.done;
  if (state.phase === "sending") return state.total > 0 ? state.sent / state.total : 0;
  return undefined;
}

/** What an upload is doing: the bytes ("12.4 of 38 MB") and the time left ("14 s left") where they are known. */
export function uploadWords(state: UploadState): { text: string; left: string | undefined } {
  switch (state.phase) {
    case "converting":
      return { text: `Converting, ${Math.floor(state.done * 100)}%`, left: undefined };
    case "waiting":
      return { text: "Waiting for other transfers", left: undefined };
    case "sending": {
      const left = state.secondsLeft === undefined ? undefined : timeLeftText(state.secondsLeft);
      return { text: bytesText(state.sent, state.total), left };
    }
    case "failed":
      return { text: "Upload failed", left: undefined };
    case "done":
      return { text: "Uploaded", left: undefined };
  }
}

/** "12.4 of 38 MB": both in one unit where they have the same, so that the numbers can be compared. */
function bytesText(sent: number, total: number): string {
  const [, unit] = fileSize(total).split(" ");
  const [amount, sentUnit] = fileSize(sent).split(" ");
  const scale = unit === "GB" ? 1e9 : unit === "MB" ? 1e6 : undefined;
  if (scale === undefined) return `${sentUnit === unit ? amount : fileSize(sent)} of ${fileSize(total)}`;
  return `${formatDecimals(sent / scale, 1)} of ${fileSize(total)}`;
}

/** A thin neutral bar of what is done. Its words stand beside it, so it is named for assistive technology only. */
export function UploadBar({ label, share }: { label: string; share: number | undefined }) {
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(share === undefined ? {} : { "aria-valuenow": Math.floor(share * 100) })}
      className="block h-0.75 w-full overflow-hidden rounded-full bg-line-strong forced-colors:h-1.75 forced-colors:border forced-colors:bg-[Canvas]"
    >
      <span
        aria-hidden="true"
        className="block h-full rounded-full bg-ink-2 forced-colors:bg-[CanvasText]"
        style={{ width: `${Math.min(100, (share ?? 0) * 100)}%` }}
      />
    </span>
  );
}

interface UploadLineProps {
  name: string;
  state: UploadState;
  onCancel: () => void;
}

/** Sends a file again whose upload failed, where that can help. */
export function UploadRetry({ state, onRetry }: { state: UploadState; onRetry: () => void }) {
  const { retryLabel } = state.phase === "failed" ? uploadProblem(state.error) : {};
  if (retryLabel === undefined) return null;
  return (
    <Button size="sm" onClick={onRetry}>
      {retryLabel}
    </Button>
  );
}

/** What the upload of a field is doing, or why it did not work. */
export function UploadLine({ name, state, onCancel }: UploadLineProps) {
  if (state.phase === "failed") {
    return (
      <p role="alert" className="wrap-anywhere m-0 text-sm text-failed">
        {uploadProblem(state.error).text}
      </p>
    );
  }
  const { text, left } = uploadWords(state);
  return (
    <div className="flex items-center gap-2 text-sm text-ink-2">
      <span className="flex min-w-0 flex-1 flex-col gap-1.5">
        <span className="truncate text-ink" title={visibleLine(name)} dir="auto">
          {visibleLine(name)}
        </span>
        <UploadBar label={`Uploading ${visibleLine(name)}`} share={uploadShare(state)} />
        <span className="flex min-h-5 gap-2 tabular-nums">
          <span className="min-w-0 truncate">{text}</span>
          {left && <span className="ml-auto shrink-0">{left}</span>}
        </span>
      </span>
      <Button size="sm" variant="ghost" aria-label={`Cancel upload of ${visibleLine(name)}`} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
