import { clsx } from "clsx";
import { type ComponentProps, useCallback } from "react";
import type { MediaItem } from "#api/types.ts";
import { type MediaState, useMediaState, usePoster } from "../use-media-state.ts";
import { mediaAspect } from "./media-aspect.ts";
import { MediaHold } from "./media-hold.tsx";
import { MediaProblem } from "./media-problem.tsx";
import { OtherFile } from "./other-file.tsx";
import type { Player } from "./player.ts";
import { PlayedWaveform } from "./waveform.tsx";

interface MediaViewProps {
  item: MediaItem;
  /** What it shows, such as the prompt. */
  alt: string;
  className?: string | undefined;
  /** What plays a clip or a sound; its bar stands elsewhere. Without one it does not play. */
  player?: Player | undefined;
  /** Width over height of the box; from the item and `payload` where not given. */
  aspect?: number | undefined;
  payload?: unknown;
  /** For telling an expired file from a lost one (spec 8: 60 days). Unix seconds. */
  createdAtSeconds?: number | undefined;
  isDeleted?: boolean | undefined;
}

/**
 * One generated file in a box whose shape is known before the file has loaded, so that nothing on the page moves. Where
 * it cannot be shown, the box shows why: expired, deleted, refused, broken.
 */
export function MediaView({ item, alt, className, player, ...rest }: MediaViewProps) {
  const state = useMediaState({
    item,
    createdAtSeconds: rest.createdAtSeconds,
    isDeleted: rest.isDeleted ?? false,
    loads: ["image", "video", "audio"],
  });
  const aspect = rest.aspect ?? mediaAspect({ ...item, kind: state.kind }, rest.payload);
  return (
    <div
      ref={state.box}
      className={clsx("@container-size relative w-full overflow-hidden rounded-md bg-well", className)}
      style={{ aspectRatio: aspect }}
      data-phase={state.phase}
    >
      {state.phase === "loading" && (state.kind !== "other" || !state.facts) && (
        // In the shape of the file, also where its box has another.
        <div
          aria-hidden
          className="absolute inset-0 m-auto animate-pulse bg-raised"
          style={{ width: `min(100%, calc(100cqh * ${aspect}))`, aspectRatio: aspect }}
        />
      )}
      {state.failure ? (
        <MediaProblem
          failure={state.failure}
          said={
            state.said ??
            (state.failure === "broken" && state.facts?.label ? `File type: ${state.facts.label}.` : undefined)
          }
          url={item.url}
          createdAtSeconds={rest.createdAtSeconds}
          onRetry={state.retry}
        />
      ) : state.blockedHost ? (
        <MediaHold url={item.url} host={state.blockedHost} />
      ) : (
        <MediaElement key={`${state.attempt} ${state.kind}`} item={item} alt={alt} player={player} state={state} />
      )}
    </div>
  );
}

const FILLS = "absolute inset-0 size-full object-contain";

interface MediaElementProps {
  item: MediaItem;
  alt: string;
  player: Player | undefined;
  state: MediaState;
}

/** The element that shows one file, filling the box around it. */
function MediaElement({ item, alt, player, state }: MediaElementProps) {
  const poster = usePoster(item);
  const { ref: setElement } = state;
  const setPlayed = useCallback(
    (element: HTMLMediaElement | null) => {
      setElement(element);
      const detach = element ? player?.attach(element) : undefined;
      return () => {
        detach?.();
        setElement(null);
      };
    },
    [setElement, player],
  );
  if (state.kind === "video") {
    return (
      <Video
        ref={setPlayed}
        src={state.src}
        aria-label={alt}
        preload="metadata"
        playsInline
        onClick={player?.toggle}
        {...(poster && state.src ? { poster } : {})}
        onPlay={state.onPlay}
        onLoadedMetadata={state.onReady}
        onError={state.onError}
        className={FILLS}
      />
    );
  }
  if (state.kind === "audio") {
    return (
      <div className="absolute inset-0 grid place-items-center px-4 text-ink-3">
        <PlayedWaveform url={item.url} player={player} />
        <Audio
          ref={setPlayed}
          src={state.src}
          aria-label={alt}
          preload="metadata"
          onPlay={state.onPlay}
          onLoadedMetadata={state.onReady}
          onError={state.onError}
        />
      </div>
    );
  }
  if (state.kind === "other") {
    if (state.facts) return <OtherFile item={item} facts={state.facts} />;
    return (
      <p role="status" className="absolute inset-0 m-0 grid place-items-center text-sm text-ink-3">
        Checking file type…
      </p>
    );
  }
  return (
    <img
      ref={state.ref}
      src={state.src}
      alt={alt}
      // Without an address, while the file waits for its turn, a browser would draw the sign of a broken picture.
      className={clsx(FILLS, state.src === undefined && "opacity-0")}
      referrerPolicy="no-referrer"
      decoding="async"
      draggable={false}
      onLoad={state.onReady}
      onError={state.onError}
    />
  );
}

// Generated clips come without captions, so there is no track to name.
function Video(props: ComponentProps<"video">) {
  return <video {...props} />;
}

function Audio(props: ComponentProps<"audio">) {
  return <audio {...props} />;
}
