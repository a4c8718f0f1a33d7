import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { visibleLine } from "#lib/visible-text.ts";
import { fileSize } from "#media/file-kind.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { useChat } from "#text/chat.ts";
import { loadPictures, type Picture, pictureInMemory } from "#text/conversations/pictures.ts";
import { IconButton } from "#ui/button.tsx";
import { commandFor } from "#ui/commands.ts";
import { playgroundCommands } from "../commands.ts";

/**
 * Images of a message, small and side by side. With `onRemove` they are lower and each has a button to remove it.
 */
export function PictureList({
  label,
  conversationId,
  pictures,
  onRemove,
}: {
  label: string;
  conversationId: string;
  pictures: readonly Picture[];
  onRemove?: ((id: string) => void) | undefined;
}) {
  if (pictures.length === 0) return null;
  return (
    <ul aria-label={label} className="m-0 flex list-none flex-wrap gap-2 p-0">
      {pictures.map((picture) => (
        <li key={picture.id} className="relative flex w-26 flex-col gap-1">
          <div className="relative">
            <ConversationPicture
              conversationId={conversationId}
              picture={picture}
              className={clsx("w-full", onRemove ? "h-15 max-sm:h-11" : "h-19.5")}
            />
            {onRemove && (
              <IconButton
                label={`Remove ${visibleLine(picture.name, 60)}`}
                data-command={commandFor(playgroundCommands.removeImage, picture.id).id}
                size="sm"
                // The target for a finger is larger than the visible button.
                className="absolute top-0 right-0 items-start! justify-end! pt-1 pr-1 hover:bg-transparent!"
                onClick={() => onRemove(picture.id)}
              >
                <span className="grid size-6 place-items-center rounded-sm bg-panel/85">
                  <X aria-hidden className="size-3.5" />
                </span>
              </IconButton>
            )}
          </div>
          <span
            title={`${visibleLine(picture.name)}, ${sizeText(picture)}`}
            className={clsx(
              "truncate text-xs tabular-nums",
              onRemove ? "absolute bottom-1 left-1 max-w-24 rounded-xs bg-panel/85 px-1 text-ink-2" : "text-ink-3",
            )}
          >
            {picture.bytes === undefined ? visibleLine(picture.name, 60) : fileSize(picture.bytes)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function sizeText({ width, height, bytes, url }: Picture): string {
  if (url !== undefined) return "sent as a link";
  return [width && height ? `${width} × ${height}` : "", fileSize(bytes ?? 0)].filter(Boolean).join(", ");
}

/** One image of a chat, by its URL or from this browser's storage. */
export function ConversationPicture({
  conversationId,
  picture,
  className,
}: {
  conversationId: string;
  picture: Picture;
  className?: string;
}) {
  const { accountId } = useChat();
  const { id, url, mimeType } = picture;
  // The file in Base64; null where it is not stored.
  const { data: base64 } = useQuery({
    queryKey: ["picture", accountId, conversationId, id],
    queryFn: async () => (await loadPictures(accountId, conversationId, [id])).get(id) ?? null,
    initialData: () => pictureInMemory(id),
    enabled: url === undefined,
    // An image that was not found is looked for again.
    staleTime: ({ state }) => (state.data === null ? 0 : Number.POSITIVE_INFINITY),
    // Not cached here: `pictures.ts` has the memory for images.
    gcTime: 0,
    retry: false,
  });
  const address = url ?? (typeof base64 === "string" ? `data:${mimeType};base64,${base64}` : undefined);
  const name = visibleLine(picture.name);
  return (
    <div className={clsx("relative overflow-hidden rounded-md border border-line bg-well", className)}>
      {address !== undefined ? (
        // A linked image waits for a click unless the service has named its host.
        <MediaThumb
          item={{ id, url: address, kind: "image", ...(url ? { isElsewhere: true as const } : {}) }}
          alt={name}
        />
      ) : (
        base64 === null && <p className="m-0 p-2 text-xs text-ink-3">{name}: no longer saved in this browser</p>
      )}
    </div>
  );
}
