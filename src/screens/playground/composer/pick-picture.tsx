import { useState } from "react";
import { MOST_PICTURES } from "#chat/conversations/pictures.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { useEarlierResults } from "#jobs/earlier-results.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { toast } from "#ui/toast-store.ts";
import type { DialogBodyProps } from "../use-dialog.ts";
import { useAttach } from "./use-attach.ts";

/** Pictures that the person's jobs made, newest first, to be put into the next question. */
export function PickPicture({ conversation, onClose }: DialogBodyProps<"picture">) {
  const { addAddress, count } = useAttach(conversation);
  const [reading, setReading] = useState<string>();
  const { files: pictures, isReading, error, retry } = useEarlierResults("image");
  if (pictures.length === 0) {
    if (error) return <ErrorNotice error={error} operation="read" onRetry={retry} />;
    return isReading ? (
      <Skeleton className="h-40" />
    ) : (
      <EmptyState title="No images yet">Images from your jobs appear here for 60 days.</EmptyState>
    );
  }
  const pick = async (url: string, name: string) => {
    if (reading !== undefined) return;
    if (count >= MOST_PICTURES) {
      toast({ title: `At most ${MOST_PICTURES} images per message`, tone: "error" });
      return;
    }
    setReading(url);
    if (await addAddress(url, name)) onClose();
    setReading(undefined);
  };
  return (
    <ul
      aria-label="Images from History"
      aria-busy={reading !== undefined}
      className="m-0 grid list-none grid-cols-[repeat(auto-fill,minmax(116px,1fr))] gap-2.5 p-0.5"
    >
      {pictures.map(({ url, name, isElsewhere }) => (
        <li key={url} className="min-w-0">
          <button
            type="button"
            aria-label={name}
            onClick={() => void pick(url, name)}
            className="relative block aspect-square w-full cursor-pointer overflow-hidden rounded-md border border-line bg-raised p-0 hover:border-line-strong"
          >
            <MediaThumb item={{ id: url, url, kind: "image", ...(isElsewhere ? { isElsewhere } : {}) }} alt="" />
          </button>
          <p className="m-0 mt-1 truncate text-[12px] text-ink-3">{reading === url ? "Reading" : name}</p>
        </li>
      ))}
    </ul>
  );
}
