import { clsx } from "clsx";
import type { MediaItem } from "#api/types.ts";
import { mediaAspect } from "./media-aspect.ts";
import { MediaElement } from "./media-element.tsx";
import { MediaProblem } from "./media-problem.tsx";
import { useMediaState } from "./use-media-state.ts";

export interface MediaViewProps {
  item: MediaItem;
  /** What it shows, such as the prompt. */
  alt: string;
  className?: string | undefined;
  /** Playback controls on video and audio; on by default. */
  controls?: boolean | undefined;
  /** Width over height of the box; from the item and `payload` where not given. */
  aspect?: number | undefined;
  payload?: unknown;
  /** For telling an expired file from a lost one (spec 8: 60 days). Unix seconds. */
  createdAtSeconds?: number | undefined;
  isDeleted?: boolean | undefined;
}

/**
 * One generated file in a box whose shape is known before the file has loaded, so that nothing on the page moves. Where
 * it cannot be shown, the box says why: expired, deleted, refused, broken.
 */
export function MediaView({ item, alt, className, controls = true, ...rest }: MediaViewProps) {
  const state = useMediaState({
    item,
    createdAtSeconds: rest.createdAtSeconds,
    isDeleted: rest.isDeleted ?? false,
  });
  const aspect = rest.aspect ?? mediaAspect(item, rest.payload);
  return (
    <div
      className={clsx("relative w-full overflow-hidden rounded-md bg-well", className)}
      style={{ aspectRatio: aspect }}
      data-phase={state.phase}
    >
      {state.phase === "loading" && item.kind !== "other" && (
        <div aria-hidden className="absolute inset-0 animate-pulse bg-raised" />
      )}
      {state.failure ? (
        <MediaProblem failure={state.failure} url={item.url} onRetry={state.retry} />
      ) : (
        <MediaElement key={state.attempt} item={item} alt={alt} controls={controls} state={state} />
      )}
    </div>
  );
}
