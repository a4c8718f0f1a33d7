import { useQuery } from "@tanstack/react-query";
import { ImagePlus } from "lucide-react";
import { useRef } from "react";
import { useApi } from "#connection/client.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { Column, Conversation } from "#text/conversations/conversation.ts";
import { takesPictures } from "#text/text-model-facts.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { IconButton } from "#ui/button.tsx";
import { commandFor, useCommands } from "#ui/commands.ts";
import { Menu } from "#ui/menu.tsx";
import { toast } from "#ui/toast-store.ts";
import { playgroundCommands } from "../commands.ts";
import { PictureList } from "../messages/picture-list.tsx";
import { useDialog } from "../use-dialog.ts";
import { useAttach } from "./use-attach.ts";

/** The format of completions is text alone. */
export const takesNone = (columns: readonly Column[]) => columns.every(({ endpoint }) => endpoint === "completions");

export function sayTextAlone(): void {
  toast({
    title: "Images cannot be sent here",
    body: "The completions endpoint accepts only text. Choose messages or responses as the endpoint.",
  });
}

/** Takes a picture from this device or from History into the next question. */
export function AttachButton({ conversation, columns }: { conversation: Conversation; columns: readonly Column[] }) {
  const { addFiles } = useAttach(conversation);
  const openDialog = useDialog();
  const input = useRef<HTMLInputElement>(null);
  const acts = [
    { ...playgroundCommands.attach, run: () => input.current?.click() },
    { ...playgroundCommands.attachHistory, run: () => openDialog({ kind: "picture" }) },
  ];
  const isRefused = takesNone(columns);
  useCommands(
    acts.map((act) => ({
      ...act,
      group: "Message",
      icon: ImagePlus,
      ...(isRefused ? { unavailable: "The completions endpoint accepts only text" } : {}),
    })),
  );
  if (isRefused) {
    return (
      <IconButton label="Attach image (not available for completions)" size="sm" aria-disabled>
        <ImagePlus aria-hidden className="size-4" />
      </IconButton>
    );
  }
  return (
    <>
      <Menu
        label="Attach image"
        icon={ImagePlus}
        size="sm"
        items={acts.map(({ id, label, run }) => ({
          label: label.replace("Attach image from", "From"),
          command: { id },
          onSelect: run,
        }))}
      />
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Images to attach"
        onChange={({ target }) => {
          void addFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </>
  );
}

/** The pictures of the next question, and who will not get them. */
export function ComposerPictures({
  conversation,
  columns,
}: {
  conversation: Conversation;
  columns: readonly Column[];
}) {
  const { pictures, remove } = useAttach(conversation);
  const { data: models } = useQuery({ ...textModelQueries(useApi()).all(), enabled: pictures.length > 0 });
  useCommands(
    pictures.map(({ id, name }) => ({
      ...commandFor(playgroundCommands.removeImage, id),
      label: `Remove ${visibleLine(name, 60)}`,
      run: () => remove(id),
    })),
  );
  if (pictures.length === 0) return null;
  const notes = columns.flatMap(({ id, endpoint, model }) => {
    if (endpoint === "completions") return [{ id, words: "The completions endpoint accepts only text" }];
    const entry = models?.find((one) => one.id === model);
    const words = `The model list says that ${visibleLine(model, 60)} accepts no images, so the service may refuse them`;
    return entry && takesPictures(entry.raw) === false ? [{ id, words }] : [];
  });
  return (
    // What is said of a picture stands beside it where there is room: the line to write in moves by little.
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <PictureList
        label="Images of the next message"
        conversationId={conversation.id}
        pictures={pictures}
        onRemove={remove}
      />
      <div className="flex min-w-[min(100%,16rem)] flex-1 flex-col gap-1 empty:hidden">
        {pictures.map(
          ({ id, note }) =>
            note && (
              <p key={id} role="status" className="m-0 text-[12px] text-ink-3">
                {visibleLine(note)}
              </p>
            ),
        )}
        {notes.map(({ id, words }) => (
          <p key={id} role="status" className="m-0 text-[12px] text-unconfirmed">
            {words}
            {columns.length > 1 && ` (column ${columns.findIndex((column) => column.id === id) + 1})`}.
          </p>
        ))}
      </div>
    </div>
  );
}
