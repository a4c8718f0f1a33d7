import { EyeOff, File, ImageOff, Music, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { kindOfUrl } from "#api/media-kind.ts";
import type { MediaKind } from "#api/types.ts";
import { useFileDeletion } from "../deleted-media.ts";
import { safeMediaUrl } from "../fetch-media.ts";
import { allowHost, useBlockedHost } from "../known-hosts.ts";
import { useMediaTurn } from "../use-media-turn.ts";

/** What came of showing an address: a picture's size in pixels, or that its host gave this page nothing. */
export type PreviewResult = { width: number; height: number } | "refused";

/** A small picture of what an address holds, where a page may load it. Give it the address as its key. */
export function MediaInputPreview({
  address,
  kind,
  onResult,
}: {
  address: string;
  kind: MediaKind | undefined;
  onResult?: ((result: PreviewResult) => void) | undefined;
}) {
  const [isBroken, setIsBroken] = useState(false);
  const deletion = useFileDeletion(address);
  const src = URL.canParse(address) ? safeMediaUrl(address) : undefined;
  const shown = kindOfUrl(address) ?? kind;
  const hasElement = !deletion && (shown === "video" || shown === "image");
  const blockedHost = useBlockedHost(address);
  const isBlocked = hasElement && src !== undefined && blockedHost !== undefined;
  const turn = useMediaTurn(hasElement && !isBlocked ? src : undefined);
  function fail() {
    turn.onOver(false);
    setIsBroken(true);
    onResult?.("refused");
  }
  return (
    <span className="relative grid size-14 shrink-0 place-items-center overflow-hidden rounded-sm bg-raised text-ink-3">
      {deletion ? (
        // Not asked for: a cache may serve it for some minutes more (spec 8).
        <Trash2 role="img" aria-label={deletion.isConfirmed ? "Deleted" : "May be deleted"} className="size-4" />
      ) : !src || isBroken ? (
        <ImageOff role="img" aria-label={src ? "No preview" : "Not an address"} className="size-4" />
      ) : isBlocked ? (
        <button
          type="button"
          aria-label={`Load the preview from ${blockedHost}`}
          title={`Not loaded. Load the preview from ${blockedHost}`}
          onClick={() => allowHost(address)}
          className="grid size-full cursor-pointer place-items-center border-0 bg-transparent p-0 text-ink-3 hover:text-ink"
        >
          <EyeOff aria-hidden className="size-4" />
        </button>
      ) : shown === "video" ? (
        <video
          ref={turn.ref}
          src={turn.src}
          muted
          preload="metadata"
          className="size-full object-cover"
          onLoadedMetadata={() => turn.onOver(true)}
          onError={fail}
        />
      ) : shown === "image" ? (
        <img
          ref={turn.ref}
          src={turn.src}
          alt=""
          referrerPolicy="no-referrer"
          className="size-full object-cover"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            turn.onOver(true);
            onResult?.({ width: naturalWidth, height: naturalHeight });
          }}
          onError={fail}
        />
      ) : shown === "audio" ? (
        <Music aria-hidden className="size-4" />
      ) : (
        <File aria-hidden className="size-4" />
      )}
    </span>
  );
}

/** An address of this page's own for a file, for as long as it is shown. */
export function useObjectUrl(file: Blob | undefined): string | undefined {
  const [shown, setShown] = useState<{ file: Blob; url: string }>();
  useEffect(() => {
    if (!file) return;
    const url = URL.createObjectURL(file);
    setShown({ file, url });
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return shown && shown.file === file ? shown.url : undefined;
}
