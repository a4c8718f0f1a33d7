import { CircleSlash, CloudOff, FileQuestion, Hourglass, RotateCw, Trash2 } from "lucide-react";
import { Button, buttonClass } from "#ui/button.tsx";
import { canRetry, FAILURE_WORDS, type MediaFailure, safeMediaUrl } from "../fetch-media.ts";

const ICONS = {
  expired: Hourglass,
  deleted: Trash2,
  deleting: Trash2,
  unconfirmed: Trash2,
  gone: FileQuestion,
  refused: CircleSlash,
  unlisted: CircleSlash,
  unreadable: CloudOff,
  failed: CloudOff,
  broken: FileQuestion,
  unsafe: CircleSlash,
  unnamed: CircleSlash,
} as const;

interface MediaProblemProps {
  failure: MediaFailure;
  url: string;
  onRetry: () => void;
  /** Small boxes show the title alone, and those of a few pixels the picture of it. */
  room?: "all" | "title" | "icon" | undefined;
}

/** Shown in place of a file that is not there, with the reason. */
export function MediaProblem({ failure, url, onRetry, room = "all" }: MediaProblemProps) {
  const Icon = ICONS[failure];
  const words = FAILURE_WORDS[failure];
  const address = safeMediaUrl(url);
  const opens = ["unreadable", "unlisted", "refused", "broken", "unnamed"].includes(failure);
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center gap-1.5 overflow-hidden p-3 text-center text-ink-2">
      <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <p className={room === "icon" ? "sr-only" : "m-0 font-medium text-[12.5px] text-ink"}>{words.title}</p>
      {room !== "all" ? (
        <span className="sr-only">{words.body}</span>
      ) : (
        <>
          <p className="m-0 max-w-80 text-balance text-[12.5px]">{words.body}</p>
          <div className="mt-1 flex flex-wrap justify-center gap-2">
            {canRetry(failure) && (
              <Button size="sm" onClick={onRetry}>
                <RotateCw aria-hidden className="size-3.5" />
                Try again
              </Button>
            )}
            {opens && address?.startsWith("http") && (
              <a href={address} target="_blank" rel="noopener noreferrer" className={buttonClass({ size: "sm" })}>
                Open in a new tab
              </a>
            )}
          </div>
        </>
      )}
    </div>
  );
}
