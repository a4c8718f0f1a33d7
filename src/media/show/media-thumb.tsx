import { clsx } from "clsx";
import { AudioLines, File } from "lucide-react";
import type { ComponentProps, SyntheticEvent } from "react";
import type { MediaItem } from "#api/types.ts";
import { formatClock } from "#lib/time.ts";
import { Pill } from "#ui/indicators.tsx";
import { measure, noteFacts, useFileFacts } from "../file-facts.ts";
import { useMediaState, usePoster } from "../use-media-state.ts";
import { MediaHold } from "./media-hold.tsx";
import { MediaProblem } from "./media-problem.tsx";
import { Waveform } from "./waveform.tsx";

export interface MediaThumbProps {
  item: MediaItem;
  /** Empty where the same words stand beside it. */
  alt: string;
  createdAtSeconds?: number | undefined;
  isDeleted?: boolean | undefined;
  /** Plays while the pointer is on it. */
  isHovered?: boolean | undefined;
  /** No words and no badge: for a picture of a few pixels. */
  isSmall?: boolean | undefined;
  className?: string | undefined;
  /** Called with the element once it shows the file. */
  onShown?: ((element: HTMLElement) => void) | undefined;
}

/** A file as a picture in a list: fills the box that its owner gives it. Videos show a frame and play on hover. */
export function MediaThumb({
  item,
  alt,
  isHovered = false,
  isSmall = false,
  className,
  onShown,
  ...rest
}: MediaThumbProps) {
  const state = useMediaState({
    item,
    createdAtSeconds: rest.createdAtSeconds,
    isDeleted: rest.isDeleted ?? false,
    isExpiryTrusted: true,
    loads: ["image", "video"],
  });
  const poster = usePoster(item);
  const duration = useFileFacts(item.url)?.durationSeconds ?? item.durationSeconds;
  if (state.failure) {
    return (
      <span className={clsx("relative block size-full overflow-hidden", className)}>
        <MediaProblem room={isSmall ? "icon" : "title"} failure={state.failure} url={item.url} onRetry={state.retry} />
      </span>
    );
  }
  if (state.blockedHost) {
    return (
      <span className={clsx("relative block size-full overflow-hidden", className)}>
        <MediaHold room={isSmall ? "icon" : "title"} url={item.url} host={state.blockedHost} />
      </span>
    );
  }
  if (state.kind === "audio" || state.kind === "other") {
    const Icon = state.kind === "audio" ? AudioLines : File;
    return (
      <span
        ref={state.box}
        className={clsx("flex size-full flex-col items-center justify-center gap-1 text-ink-3", className)}
      >
        {state.kind === "audio" && !isSmall ? (
          <Waveform url={item.url} />
        ) : (
          <Icon aria-hidden className={isSmall ? "size-4" : "size-7"} strokeWidth={1.5} />
        )}
        {state.kind === "other" && !isSmall && state.facts && (
          <span className="text-xs">{state.facts.label ?? "Unknown type"}</span>
        )}
      </span>
    );
  }
  const onReady = (event: SyntheticEvent<HTMLElement>) => {
    state.onReady(event);
    onShown?.(event.currentTarget);
  };
  const imageClass = clsx(
    "block size-full object-cover transition-opacity",
    state.phase === "loading" && !poster && "opacity-0",
    className,
  );
  if (state.kind === "image") {
    return (
      <img
        ref={state.ref}
        src={state.src}
        alt={alt}
        className={imageClass}
        referrerPolicy="no-referrer"
        decoding="async"
        draggable={false}
        onLoad={onReady}
        onError={state.onError}
      />
    );
  }
  return (
    <>
      {state.phase === "loading" && !isSmall && !poster && (
        <span aria-hidden className="absolute inset-0 m-auto size-fit text-xl text-ink-3">
          ▶
        </span>
      )}
      <HoverVideo
        onNode={state.ref}
        src={state.src}
        isPlaying={isHovered}
        {...(poster && state.src ? { poster } : {})}
        onPlay={state.onPlay}
        className={imageClass}
        onLoadedMetadata={(event) => noteFacts(item.url, measure(event.currentTarget) ?? {})}
        onLoadedData={onReady}
        onError={state.onError}
      />
      {!isSmall && duration !== undefined && Number.isFinite(duration) && <ClipLength seconds={duration} />}
    </>
  );
}

/** The length of a clip, in the corner of its picture. */
export function ClipLength({ seconds }: { seconds: number }) {
  return (
    <Pill overMedia className="absolute top-2 right-2">
      <span aria-hidden>▶</span>
      {clipLength(seconds)}
    </Pill>
  );
}

interface HoverVideoProps extends ComponentProps<"video"> {
  isPlaying: boolean;
  onNode: (node: HTMLVideoElement | null) => void;
}

function HoverVideo({ isPlaying, onNode, ...props }: HoverVideoProps) {
  return (
    <video
      {...props}
      // A muted clip without controls: a moving picture, and its words stand beside it.
      ref={(node) => {
        onNode(node);
        playOrPause(node, isPlaying);
      }}
      aria-hidden
      muted
      loop
      playsInline
      preload="metadata"
      tabIndex={-1}
    />
  );
}

function playOrPause(node: HTMLVideoElement | null, isPlaying: boolean): void {
  if (!node) return;
  // A browser may refuse to play before the person has used the page. The still frame then stays.
  if (isPlaying && node.paused) node.play()?.catch(() => undefined);
  if (!isPlaying && !node.paused) node.pause();
}

/** The length of a clip on its badge: "0:08". */
function clipLength(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  return formatClock(whole * 1000);
}
