import { clsx } from "clsx";
import { Image as ImageIcon, Video as VideoIcon } from "lucide-react";
import type { ReactNode, SyntheticEvent } from "react";
import { safeMediaUrl } from "#media/fetch-media.ts";
import { noteLoaded } from "#media/file-facts.ts";
import { useBlockedHost } from "#media/known-hosts.ts";
import { useMediaTurn } from "#media/use-media-turn.ts";
import type { ExpectedResult, ShownInput } from "./expected-result.ts";

interface WaitingFrameProps {
  /** Width over height of what was asked for. */
  aspect: number;
  /** What it is made from; shown in the first frame of several. */
  prompt?: string | undefined;
  input?: ShownInput | undefined;
  /** A few words each: "16:9", "1080p", "6 s". */
  settings?: ExpectedResult["settings"] | undefined;
  /** Still under way: a light lies over it and comes and goes. Otherwise it stands still. */
  isActive?: boolean | undefined;
  /** Says that what is seen behind it is the input: once, in the first frame of several. */
  isLabelled?: boolean | undefined;
  className?: string | undefined;
}

/**
 * The place of a result while it is made: in the shape that was asked for, with the prompt in it and the input faintly
 * behind. As wide as its owner; the result takes the same place.
 */
export function WaitingFrame({
  aspect,
  prompt,
  input,
  settings = [],
  isActive = true,
  isLabelled = true,
  className,
}: WaitingFrameProps) {
  return (
    <div
      data-waiting-frame=""
      className={clsx(
        "@container relative w-full overflow-hidden rounded-lg",
        input ? "bg-[#0b0a0b] text-white" : "bg-panel text-ink in-data-[theme=light]:bg-raised",
        "inset-ring inset-ring-line forced-colors:border forced-colors:border-[CanvasText]",
        className,
      )}
      style={{ aspectRatio: aspect }}
    >
      {input && <FaintInput input={input} />}
      {input && (
        <span aria-hidden="true" className="absolute inset-0 bg-linear-to-t from-black/65 to-55% to-transparent" />
      )}
      {isActive && (
        <span
          aria-hidden="true"
          className={clsx(
            "absolute inset-0 animate-pulse bg-linear-100 from-34% from-transparent via-50% via-white/6 to-66% to-transparent motion-reduce:animate-none forced-colors:hidden",
            // Over an input the frame is dark in both themes.
            !input && "in-data-[theme=light]:via-white/50",
          )}
        />
      )}
      <div className="absolute inset-x-3 top-3 flex flex-wrap items-start justify-between gap-2 text-[12px]">
        {input && isLabelled ? (
          <Tag isDark>
            {input.kind === "video" ? (
              <VideoIcon aria-hidden="true" className="size-3.5" />
            ) : (
              <ImageIcon aria-hidden="true" className="size-3.5" />
            )}
            Your input {input.kind}
          </Tag>
        ) : (
          <span />
        )}
        {settings.length > 0 && <Tag isDark={input !== undefined}>{settings.join(" · ")}</Tag>}
      </div>
      {prompt && (
        <p
          dir="auto"
          className="wrap-anywhere absolute inset-x-4 bottom-3.5 m-0 line-clamp-3 max-w-[56ch] text-balance text-[13.5px] leading-5 @md:inset-x-[22px] @md:bottom-[18px] @md:text-[15px] @md:leading-[22px]"
        >
          {prompt}
        </p>
      )}
    </div>
  );
}

function Tag({ isDark, children }: { isDark: boolean; children: ReactNode }) {
  return (
    <span
      className={clsx(
        "inline-flex min-h-[26px] max-w-full items-center gap-1.5 truncate rounded-[7px] px-2.5 tabular-nums",
        isDark ? "bg-black/50 text-white/85" : "bg-canvas/70 text-ink-2",
      )}
    >
      {children}
    </span>
  );
}

const FAINT = "absolute inset-0 size-full object-cover opacity-[0.26] blur-[1.5px] saturate-[.55]";

/** The input behind the frame. A file whose host was not allowed is not loaded for it. */
function FaintInput({ input }: { input: ShownInput }) {
  const isBlocked = useBlockedHost(input.url) !== undefined;
  const { src, ref, onOver } = useMediaTurn(isBlocked ? undefined : safeMediaUrl(input.url));
  const onReady = ({ currentTarget }: SyntheticEvent) => {
    onOver(true);
    noteLoaded(input.url, currentTarget);
  };
  if (input.kind === "video") {
    return (
      <video
        ref={ref}
        src={src}
        aria-hidden
        muted
        playsInline
        preload="metadata"
        tabIndex={-1}
        className={FAINT}
        onLoadedData={onReady}
        onError={() => onOver(false)}
      />
    );
  }
  return (
    <img
      ref={ref}
      src={src}
      alt=""
      referrerPolicy="no-referrer"
      // At once, where it was shown before: the frame of a run that was just accepted replaces the one before it.
      decoding="sync"
      draggable={false}
      className={FAINT}
      onLoad={onReady}
      onError={() => onOver(false)}
    />
  );
}
