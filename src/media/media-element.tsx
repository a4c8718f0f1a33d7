import { File } from "lucide-react";
import type { ComponentProps } from "react";
import type { MediaItem } from "#api/types.ts";
import type { MediaState } from "./use-media-state.ts";
import { Waveform } from "./viewing/waveform.tsx";

const FILLS = "absolute inset-0 size-full object-contain";

interface MediaElementProps {
  item: MediaItem;
  alt: string;
  controls: boolean;
  state: MediaState;
}

/** The element that shows one file, filling the box around it. */
export function MediaElement({ item, alt, controls, state }: MediaElementProps) {
  if (item.kind === "video") {
    return (
      <Video
        src={state.src}
        aria-label={alt}
        controls={controls}
        preload="metadata"
        playsInline
        {...(item.posterUrl ? { poster: item.posterUrl } : {})}
        onLoadedMetadata={state.onReady}
        onError={state.onError}
        className={FILLS}
      />
    );
  }
  if (item.kind === "audio") {
    return (
      <div className="absolute inset-0 flex flex-col items-center justify-center gap-3 px-4 text-ink-3">
        {state.src && <Waveform url={state.src} />}
        <Audio
          src={state.src}
          aria-label={alt}
          controls={controls}
          preload="metadata"
          onLoadedMetadata={state.onReady}
          onError={state.onError}
          className="w-full max-w-md"
        />
      </div>
    );
  }
  if (item.kind === "other") {
    return (
      <div className="absolute inset-0 flex flex-col items-center justify-center gap-2 text-[12.5px] text-ink-2">
        <File aria-hidden className="size-5 text-ink-3" />A file of another kind. Download it to open it.
      </div>
    );
  }
  return (
    <img
      src={state.src}
      alt={alt}
      className={FILLS}
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
