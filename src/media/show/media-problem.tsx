import { clsx } from "clsx";
import { CircleSlash, CloudOff, FileQuestion, Hourglass, RotateCw, Trash2 } from "lucide-react";
import { Button, buttonClass } from "#ui/button.tsx";
import { safeMediaUrl } from "../fetch-media.ts";
import { canRetry, FAILURE_WORDS, type MediaFailure, mayOpen } from "../media-failure.ts";
import { tabSentence } from "../retention.ts";

const ICONS = {
  expired: Hourglass,
  deleted: Trash2,
  deleting: Trash2,
  unconfirmed: Trash2,
  gone: FileQuestion,
  lapsed: Hourglass,
  refused: CircleSlash,
  busy: Hourglass,
  unlisted: CircleSlash,
  redirected: CircleSlash,
  unreadable: CloudOff,
  failed: CloudOff,
  empty: FileQuestion,
  page: FileQuestion,
  broken: FileQuestion,
  large: FileQuestion,
  internal: CircleSlash,
  unsafe: CircleSlash,
  unnamed: CircleSlash,
} as const;

interface MediaProblemProps {
  failure: MediaFailure;
  /** What the storage or the studio's host said. */
  said?: string | undefined;
  url: string;
  /** Unix seconds; says until when the service stores the file. */
  createdAtSeconds?: number | undefined;
  onRetry: () => void;
  /** `title`: words alone, for a small box; `icon`: no words, for a few pixels. */
  room?: "all" | "title" | "icon" | undefined;
}

/** Shown in place of a file that is not there, with the reason. */
export function MediaProblem({ failure, said, url, createdAtSeconds, onRetry, room = "all" }: MediaProblemProps) {
  const Icon = ICONS[failure];
  const words = FAILURE_WORDS[failure];
  const address = safeMediaUrl(url);
  const opens = mayOpen(failure) && address?.startsWith("http") === true;
  return (
    <div
      className={clsx(
        "absolute inset-0 flex flex-col items-center justify-center gap-1.5 overflow-x-hidden text-center text-ink-2",
        // Without all of the words there is nothing to scroll to, nor anything that takes the focus.
        room === "all" ? "overflow-y-auto p-3" : "overflow-y-hidden",
        room === "title" && "p-3",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <p className={room === "icon" ? "sr-only" : "m-0 font-medium text-sm text-ink"}>{words.title}</p>
      {room !== "all" ? (
        <span className="sr-only">{words.body}</span>
      ) : (
        <>
          <p className="wrap-anywhere m-0 max-w-96 text-balance text-sm">
            {said === undefined ? words.body : `${words.body} ${said}`}
          </p>
          {failure === "internal" && <code className="wrap-anywhere max-w-96 text-xs">{url}</code>}
          {opens && (
            <p className="m-0 max-w-96 text-balance text-sm text-ink-3">{tabSentence(address, createdAtSeconds)}</p>
          )}
          <div className="mt-1 flex flex-wrap justify-center gap-2">
            {canRetry(failure) && (
              <Button size="sm" onClick={onRetry}>
                <RotateCw aria-hidden className="size-3.5" />
                Try again
              </Button>
            )}
            {opens && (
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
