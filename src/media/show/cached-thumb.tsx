import { clsx } from "clsx";
import { useEffect, useRef, useState } from "react";
import { deletionFailure, useFileDeletion } from "../deleted-media.ts";
import { isOutOfReach, safeMediaUrl } from "../fetch-media.ts";
import { useFileFacts } from "../file-facts.ts";
import { noteNamedAddress, useBlockedHost } from "../known-hosts.ts";
import { daysLeft } from "../retention.ts";
import { findThumb, keepFrame, makeThumb, mayKeepThumb, thumbInMemory } from "../thumbs/thumb-cache.ts";
import { useShownKind } from "../use-media-state.ts";
import { MediaProblem } from "./media-problem.tsx";
import { ClipLength, MediaThumb, type MediaThumbProps } from "./media-thumb.tsx";

type CachedThumbProps = Omit<MediaThumbProps, "onShown">;

/**
 * A file in a list, as a small picture that this browser stores: its bytes are read once, and what is on the screen
 * goes first. Of a clip a frame is stored, and the clip itself loads under the pointer. Whatever cannot be stored, and
 * whatever is not there any more, is shown as `MediaThumb` shows it.
 */
export function CachedThumb(props: CachedThumbProps) {
  const { item, isHovered = false, isSmall = false, className } = props;
  const deletion = deletionFailure(useFileDeletion(item.url), props.isDeleted ?? false);
  const { src, isOriginal, box } = useCachedThumb(props, deletion !== undefined);
  const duration = useFileFacts(item.url)?.durationSeconds ?? item.durationSeconds;
  if (deletion) {
    return (
      <span className={clsx("relative block size-full overflow-hidden", className)}>
        <MediaProblem room={isSmall ? "icon" : "title"} failure={deletion} url={item.url} onRetry={() => undefined} />
      </span>
    );
  }
  if (isOriginal) {
    return (
      <MediaThumb
        {...props}
        onShown={(element) => {
          if (element instanceof HTMLVideoElement && !item.isElsewhere) void keepFrame(item.url, element);
        }}
      />
    );
  }
  return (
    <span ref={box} className={clsx("relative block size-full", className)}>
      {src && (
        <img src={src} alt={props.alt} decoding="async" draggable={false} className="block size-full object-cover" />
      )}
      {src && item.kind === "video" && isHovered && (
        <span className="absolute inset-0">
          <MediaThumb {...props} className={undefined} isSmall />
        </span>
      )}
      {src && item.kind === "video" && !isSmall && duration !== undefined && Number.isFinite(duration) && (
        <ClipLength seconds={duration} />
      )}
    </span>
  );
}

type ThumbState = {
  /** The address of the small picture, once it is there. */
  src: string | undefined;
  /** The file itself is shown, or why it is not there. */
  isOriginal: boolean;
  box: React.RefObject<HTMLSpanElement | null>;
};

function useCachedThumb({ item, createdAtSeconds }: CachedThumbProps, isGone: boolean): ThumbState {
  const { url, posterUrl } = item;
  const box = useRef<HTMLSpanElement>(null);
  const [openedAtMs] = useState(() => Date.now());
  const kind = useShownKind(item);
  const isExpired = (daysLeft(createdAtSeconds, openedAtMs) ?? 1) <= 0;
  const isBlocked = useBlockedHost(url, !item.isElsewhere) !== undefined;
  const isPosterBlocked = useBlockedHost(posterUrl ?? "", !item.isElsewhere) !== undefined;
  const safe = safeMediaUrl(url);
  const isReachable = safe !== undefined && !isOutOfReach(safe) && !isBlocked && !isGone && !isExpired;
  const isCached = isReachable && (kind === "image" || kind === "video") && mayKeepThumb(url);
  const [found, setFound] = useState(() => ({ url, src: thumbInMemory(url), isMissing: false }));
  const own = found.url === url ? found : { url, src: undefined, isMissing: false };
  const isAsked = isCached && own.src === undefined && !own.isMissing;
  const stillUrl = kind === "image" ? url : isPosterBlocked ? undefined : posterUrl;

  useEffect(() => {
    if (!item.isElsewhere) noteNamedAddress(item.url);
  }, [item]);
  useEffect(() => {
    if (!isAsked) return;
    const controller = new AbortController();
    const { signal } = controller;
    const isVisible = () => isOnScreen(box.current);
    void (async () => {
      // A frame of a clip is stored under the clip's address, and its poster under the poster's.
      const src =
        (await findThumb(url)) ??
        (stillUrl === undefined || stillUrl === url ? undefined : await findThumb(stillUrl)) ??
        (stillUrl === undefined || signal.aborted ? undefined : await makeThumb(stillUrl, { signal, isVisible }));
      if (!signal.aborted) setFound({ url, src, isMissing: src === undefined });
    })().catch(() => signal.aborted || setFound({ url, src: undefined, isMissing: true }));
    return () => controller.abort();
  }, [isAsked, url, stillUrl]);
  return { src: isReachable ? own.src : undefined, isOriginal: !isCached || own.isMissing, box };
}

function isOnScreen(element: HTMLElement | null): boolean {
  if (!element) return true;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= innerHeight;
}
