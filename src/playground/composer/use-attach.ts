import { UnusableFileError } from "#media/file-kind.ts";
import { MediaError } from "#media/media-failure.ts";
import type { Conversation } from "#text/conversations/conversation.ts";
import { changeDraftPictures, useDraftPictures } from "#text/conversations/conversation-store.ts";
import { MAX_PICTURES } from "#text/conversations/pictures.ts";
import { toast } from "#ui/toast-store.ts";
import { type AttachedPicture, attachAddress, attachFile } from "./attach-picture.ts";

/** Puts pictures into a conversation's next question, and says where one could not be taken or was made smaller. */
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
      toast({ title: "The image was not attached", body: whyNot(error, name), tone: "error" });
      return false;
    }
  };
  return {
    pictures,
    count: pictures.length,
    async addFiles(files: readonly File[]) {
      if (pictures.length + files.length > MAX_PICTURES) {
        toast({ title: `At most ${MAX_PICTURES} images per message`, tone: "error" });
      }
      // One after the other: each is decoded as a whole.
      for (const file of files.slice(0, MAX_PICTURES - pictures.length)) {
        await add(file.name, () => attachFile(file, file.name));
      }
    },
    addAddress: (url: string, name: string) => add(name, async () => attachAddress(url, name)),
    remove: (pictureId: string) => changeDraftPictures(id, (all) => all.filter((one) => one.id !== pictureId)),
    clear: () => changeDraftPictures(id, () => []),
  };
}

function whyNot(error: unknown, name: string): string {
  if (error instanceof UnusableFileError) return error.message;
  if (error instanceof MediaError)
    return `"${name}" could not be read from the storage. Download the file, then attach it.`;
  return `"${name}" could not be read. Try again.`;
}

/** The pictures among what was pasted or dropped. */
export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
}
