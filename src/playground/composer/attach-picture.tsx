import { useState } from "react";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { randomId } from "#lib/random-id.ts";
import { drawPicture, type ReadPicture, readPicture } from "#media/convert/picture.ts";
import { readMedia } from "#media/fetch-media.ts";
import { blobKind, fileSize, UnusableFileError } from "#media/file-kind.ts";
import { MediaError } from "#media/media-failure.ts";
import { EarlierFiles, useEarlierResults } from "#results/earlier-files.tsx";
import type { Conversation } from "#text/conversations/conversation.ts";
import { changeDraftPictures, useDraftPictures } from "#text/conversations/conversation-store.ts";
import {
  holdPicture,
  isPublicAddress,
  MAX_PICTURES,
  PICTURE_TYPES,
  type Picture,
} from "#text/conversations/pictures.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { toast } from "#ui/toast-store.ts";
import type { DialogBodyProps } from "../use-dialog.ts";

/** In px. Models scale larger images down before they look at them. */
const MAX_SIDE = 2048;
/** Services limit the size of a request. */
const MAX_BYTES = 5_000_000;

interface AttachedPicture {
  picture: Picture;
  /** What was done to it, as a sentence. */
  note?: string;
}

/**
 * A file as an image for a message: unchanged if the formats accept it, else scaled down or converted to PNG or JPEG.
 * The type is read from its bytes. @throws UnusableFileError with a sentence for the screen.
 */
async function attachFile(file: Blob, name: string): Promise<AttachedPicture> {
  const kind = await blobKind(file).catch(() => undefined);
  const isPicture = kind?.kind === "image" || kind?.extension === "heic" || kind?.extension === "tiff";
  if (!kind || !isPicture) throw new UnusableFileError(`“${name}” isn’t a supported image.`);
  const isAccepted = PICTURE_TYPES.includes(kind.mimeType);
  const read = await readPicture(file).catch(() => undefined);
  if (read === undefined) {
    // Perhaps only this browser cannot decode it, so a file of an accepted type is sent unchanged.
    if (!isAccepted) throw new UnusableFileError(`This browser can’t read “${name}”. Save it as PNG or JPEG first.`);
    if (file.size > MAX_BYTES) throw new UnusableFileError(tooLarge(name, file.size));
    const note = `“${name}” couldn’t be read here. It may be damaged, and the model may reject it.`;
    return { picture: await storeInMemory(file, name, kind.mimeType), note };
  }
  try {
    const isSmall = Math.max(read.width, read.height) <= MAX_SIDE && file.size <= MAX_BYTES;
    if (isAccepted && isSmall) return { picture: await storeInMemory(file, name, kind.mimeType, read) };
    const { blob, width, height } = await scaledDown(read, name, file.size);
    const picture = await storeInMemory(blob, name, blob.type, { width, height });
    const from = `${read.width} × ${read.height}, ${fileSize(file.size)}`;
    return {
      picture,
      note: `“${name}” is sent as ${width} × ${height}, ${fileSize(blob.size)}; the original is ${from}.`,
    };
  } finally {
    read.close();
  }
}

async function scaledDown(read: ReadPicture, name: string, bytes: number) {
  const longest = Math.max(read.width, read.height);
  for (const side of [MAX_SIDE, 1536, 1024, 512]) {
    const scale = Math.min(1, side / longest);
    const width = Math.max(1, Math.round(read.width * scale));
    const height = Math.max(1, Math.round(read.height * scale));
    const blob = await drawPicture(read, undefined, { width, height }).catch(() => undefined);
    if (blob && blob.size <= MAX_BYTES) return { blob, width, height };
  }
  throw new UnusableFileError(tooLarge(name, bytes));
}

const tooLarge = (name: string, bytes: number) =>
  `“${name}” is too large (${fileSize(bytes)}) and couldn’t be made smaller. The limit is ${fileSize(MAX_BYTES)}.`;

/**
 * A job's image for a message: by its URL if any service can fetch that, else with its bytes.
 * @throws UnusableFileError, or MediaError where it cannot be read.
 */
async function attachAddress(url: string, name: string): Promise<AttachedPicture> {
  const extension = /\.(png|jpe?g|webp|gif)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase();
  if (isPublicAddress(url) && extension !== undefined) {
    const mimeType = `image/${extension === "jpg" ? "jpeg" : extension}`;
    return { picture: { id: randomId(), name, mimeType, url } };
  }
  return attachFile(await readMedia(url), name);
}

async function storeInMemory(
  blob: Blob,
  name: string,
  mimeType: string,
  size?: { width: number; height: number },
): Promise<Picture> {
  const id = randomId();
  holdPicture(id, toBase64(new Uint8Array(await blob.arrayBuffer())));
  const { width, height } = size ?? {};
  return { id, name, mimeType, bytes: blob.size, ...(width && height ? { width, height } : {}) };
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  // In pieces, because a call cannot have millions of arguments.
  for (let index = 0; index < bytes.length; index += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(index, index + 0x8000));
  }
  return btoa(text);
}

/** The images of a chat's next message, and the ways to change them. A toast says if one is not attached. */
export function useAttach({ id }: Pick<Conversation, "id">) {
  const pictures = useDraftPictures(id);
  const add = async (name: string, attach: () => Promise<AttachedPicture>): Promise<boolean> => {
    try {
      const { picture, note } = await attach();
      changeDraftPictures(id, (all) =>
        all.length < MAX_PICTURES ? [...all, { ...picture, ...(note ? { note } : {}) }] : all,
      );
      return true;
    } catch (error) {
      toast({ title: "Image not attached", body: whyNot(error, name), tone: "error" });
      return false;
    }
  };
  return {
    pictures,
    count: pictures.length,
    async addFiles(files: readonly File[]) {
      if (pictures.length + files.length > MAX_PICTURES) {
        toast({ title: `Up to ${MAX_PICTURES} images per message`, tone: "error" });
      }
      // One after the other, because decoding takes much memory.
      for (const file of files.slice(0, MAX_PICTURES - pictures.length)) {
        await add(file.name, () => attachFile(file, file.name));
      }
    },
    addAddress: (url: string, name: string) => add(name, async () => attachAddress(url, name)),
    remove: (pictureId: string) => changeDraftPictures(id, (all) => all.filter((picture) => picture.id !== pictureId)),
    clear: () => changeDraftPictures(id, () => []),
  };
}

function whyNot(error: unknown, name: string): string {
  if (error instanceof UnusableFileError) return error.message;
  if (error instanceof MediaError)
    return `“${name}” couldn’t be loaded from its file host. Download the file, then attach it.`;
  return `“${name}” couldn’t be read. Try again.`;
}

/** The image files in pasted or dropped data. */
export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
}

/** The dialog with images of the person's jobs, latest first, to attach one to the next message. */
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
    if (count >= MAX_PICTURES) {
      toast({ title: `Up to ${MAX_PICTURES} images per message`, tone: "error" });
      return;
    }
    setReading(url);
    if (await addAddress(url, name)) onClose();
    setReading(undefined);
  };
  return (
    <EarlierFiles
      label="Images from History"
      files={pictures}
      readingUrl={reading}
      onPress={({ file, name }) => void pick(file.url, name)}
    />
  );
}
