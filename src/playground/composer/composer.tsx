import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUp, BookmarkPlus, ImagePlus, Pencil, TextQuote, X } from "lucide-react";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { ANSWER_MAY_BE_CHARGED } from "#api/charge-words.ts";
import { useApi } from "#connection/client.ts";
import { KeyNotice } from "#connection/error-notice.tsx";
import { findKey } from "#connection/find-key.ts";
import { useNamedList } from "#connection/named-list.ts";
import { counted } from "#lib/numbers.ts";
import type { SecretFinding } from "#lib/secret-shape.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { StoredError } from "#text/answer.ts";
import { useChat, useChatState } from "#text/chat.ts";
import { isBlind } from "#text/conversations/blind-comparison.ts";
import type { Column, Conversation } from "#text/conversations/conversation.ts";
import { type QueuedMessage, setDraft, useDraft } from "#text/conversations/conversation-store.ts";
import type { Picture } from "#text/conversations/pictures.ts";
import { takesPictures } from "#text/text-model-facts.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { Button, buttonClass, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { commandFor, studioCommands, useCommands } from "#ui/commands.ts";
import { fitHeight, Select } from "#ui/field.tsx";
import { Menu } from "#ui/menu.tsx";
import { Notice } from "#ui/notice.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { toast } from "#ui/toast-store.ts";
import { useIsBusy } from "../columns/column-acts.ts";
import { playgroundCommands } from "../commands.ts";
import { PictureList } from "../messages/picture-list.tsx";
import { snippets } from "../snippets/snippets.ts";
import { useDialog } from "../use-dialog.ts";
import { picturesIn, useAttach } from "./attach-picture.tsx";
import { ContextGauge, ContextWarning } from "./context-line.tsx";

/** The box for the next message, to all columns or the active one. While one of them responds, the message is queued. */
export function Composer({ conversation, active }: { conversation: Conversation; active: Column | undefined }) {
  const chat = useChat();
  const { responses } = chat;
  const openDialog = useDialog();
  const text = useDraft(conversation.id);
  const setText = (next: string) => setDraft(conversation.id, next, conversation);
  const [isForActive, setIsForActive] = useState(false);
  const savedSnippets = useNamedList(snippets).items;
  const isHidden = isBlind(conversation);
  const area = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text, also where a snippet set it.
  useLayoutEffect(() => fitHeight(area.current), [text]);
  const [finding, setFinding] = useState<SecretFinding>();
  const { id } = conversation;
  const columns = conversation.columns.filter(({ isDocument }) => !isDocument);
  const chosen = columns.filter((column) => !isForActive || column.id === active?.id);
  const targets = chosen.length > 0 ? chosen : columns;
  const isBusy = useIsBusy(id);
  /** Whether a message would be queued. `isBusy` is also true while only other columns are responding. */
  const mustWait = useChatState(({ runs }) =>
    Object.values(runs).some(
      (run) => run.conversationId === id && targets.some((column) => column.id === run.columnId),
    ),
  );
  const queue = useChatState((state) => state.queue);
  const waiting = queue.filter(({ conversationId }) => conversationId === id);
  const hasModels = targets.every(({ model }) => model !== "");
  const attach = useAttach(conversation);
  const sender = useSend(id, mustWait);
  const canSend = (text.trim() !== "" || attach.count > 0) && hasModels;
  const prompt = promptText(targets.length, columns.length);

  const send = () => {
    if (!canSend) return;
    const written = [
      text,
      attach.pictures.map(({ url }) => url),
      targets.map(({ system, params }) => [system, params]),
    ];
    const keyInMessage = findKey(written);
    setFinding(keyInMessage);
    if (keyInMessage) return;
    const pictures = attach.pictures.map(({ note: _, ...picture }) => picture);
    sender.send({ columnIds: targets.map((column) => column.id), text: text.trim(), pictures }, () => {
      setText("");
      attach.clear();
      area.current?.focus();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends the composition of a word (input method) does not send.
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      // An Enter that stays pressed sends once, even while the first message is still being checked.
      if (!event.repeat) send();
    } else if (event.key === "Escape" && isBusy) {
      event.preventDefault();
      responses.stop(id);
    } else if (event.key === "Escape") sender.clear();
  };
  /** Attaches pasted or dropped images. Anything else is left to the browser. */
  const takePictures = (event: { preventDefault: () => void }, data: DataTransfer | null) => {
    const files = picturesIn(data);
    if (files.length === 0) return;
    event.preventDefault();
    if (acceptNoPictures(targets)) toastTextOnly();
    else void attach.addFiles(files);
  };
  const write = { ...playgroundCommands.write, icon: Pencil };
  const insert = {
    ...playgroundCommands.snippets,
    icon: TextQuote,
    run: () => openDialog({ kind: "snippets" }),
  };
  const saveSnippet = {
    ...playgroundCommands.saveSnippet,
    icon: BookmarkPlus,
    ...(text.trim() === "" ? { unavailable: "Write a message first" } : {}),
    run: () => openDialog({ kind: "save-snippet", text }),
  };
  const toggleTarget = {
    ...playgroundCommands.sendTo,
    ...(isForActive && { label: "Send to all columns" }),
    run: () => setIsForActive(!isForActive),
  };
  const submit = {
    ...playgroundCommands.send,
    icon: ArrowUp,
    ...(canSend ? {} : { unavailable: hasModels ? "Write a message first" : "Choose a model first" }),
    run: send,
  };
  const stop = { ...playgroundCommands.stop, run: () => responses.stop(id) };
  useCommands([
    { ...write, run: () => area.current?.focus() },
    insert,
    saveSnippet,
    submit,
    ...(columns.length > 1 ? [toggleTarget] : []),
    ...(isBusy ? [stop] : []),
    ...savedSnippets.slice(0, MAX_OFFERED).map(({ name }) => ({
      ...commandFor(playgroundCommands.insertSnippet, name),
      label: `Insert “${visibleLine(name, 60)}”`,
      run: () => openDialog({ kind: "snippets" }),
    })),
  ]);
  const stopProps = useCommandProps(playgroundCommands.stop);
  return (
    <div className="mx-auto w-full max-w-180">
      <WaitingList waiting={waiting} isBusy={isBusy} />
      {sender.objection && <LimitNotice objection={sender.objection} />}
      {finding && <KeyNotice finding={finding} what="message" onSendAnyway={send} className="mb-2" />}
      <section
        aria-label="New message"
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes("Files")) event.preventDefault();
        }}
        onDrop={(event) => takePictures(event, event.dataTransfer)}
        className="flex @container flex-col gap-3 rounded-lg border border-line-strong bg-panel p-3 pb-2.5 transition-[border-color] duration-150 has-[textarea:focus-visible]:border-focus max-sm:gap-2"
      >
        <ComposerPictures conversation={conversation} columns={isHidden ? [] : targets} />
        <textarea
          ref={area}
          dir="auto"
          data-composer
          aria-label={prompt}
          placeholder={prompt}
          rows={1}
          value={text}
          onChange={(event) => {
            setFinding(undefined);
            sender.clear();
            // A slash in an empty message opens the snippets.
            if (event.target.value === "/" && text === "" && savedSnippets.length > 0) insert.run();
            else setText(event.target.value);
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => takePictures(event, event.clipboardData)}
          className="field-sizing-content max-h-[40dvh] min-h-6 w-full resize-none pointer-coarse:min-h-11 border-0 bg-transparent p-0 text-base text-ink leading-relaxed outline-none placeholder:text-ink-3 pointer-coarse:text-lg"
        />
        <div className="flex flex-wrap items-center gap-2">
          <AttachButton conversation={conversation} columns={targets} />
          <IconButton label={insert.label} size="sm" data-command={insert.id} onClick={insert.run}>
            <TextQuote aria-hidden className="size-4" />
          </IconButton>
          <IconButton
            label={saveSnippet.label}
            size="sm"
            data-command={saveSnippet.id}
            aria-disabled={text.trim() === ""}
            className="max-sm:hidden"
            onClick={saveSnippet.run}
          >
            <BookmarkPlus aria-hidden className="size-4" />
          </IconButton>
          {columns.length > 1 && (
            <Select
              compact
              aria-label="Send to"
              value={isForActive ? "active" : "all"}
              onChange={(event) => setIsForActive(event.target.value === "active")}
            >
              <option value="all">{columns.length === 2 ? "Both columns" : "All columns"}</option>
              <option value="active">Active column only</option>
            </Select>
          )}
          {/* Hidden on a phone with two buttons: a second line would move the messages at the first letter. */}
          <span className={mustWait && canSend ? "@max-[25rem]:hidden" : "contents"}>
            <ContextGauge columns={isHidden ? NO_COLUMNS : targets} text={text} pictures={attach.pictures} />
          </span>
          <span className="ms-auto flex flex-wrap items-center justify-end gap-2">
            {!hasModels && <span className="text-xs text-ink-3 @max-[30rem]:hidden">Choose a model first</span>}
            {isBusy && (
              <Button
                variant="primary"
                {...stopProps}
                title={`The partial response is saved. ${ANSWER_MAY_BE_CHARGED}`}
                onClick={() => responses.stop(id)}
              >
                Stop <Kbd command={playgroundCommands.stop} />
              </Button>
            )}
            {(!isBusy || canSend) && (
              <Button
                variant={isBusy ? "outline" : "primary"}
                aria-disabled={!canSend}
                data-command={submit.id}
                aria-keyshortcuts="Enter"
                {...(mustWait && { title: "Sent after this response" })}
                onClick={send}
              >
                <ArrowUp aria-hidden className="size-4" />
                {mustWait ? "Send next" : "Send"}
                {!isBusy && <Kbd>Enter</Kbd>}
              </Button>
            )}
          </span>
        </div>
      </section>
      <ContextWarning columns={isHidden ? NO_COLUMNS : targets} text={text} pictures={attach.pictures} />
    </div>
  );
}

const NO_COLUMNS: readonly Column[] = [];

/** Snippets that the palette offers by their names. */
const MAX_OFFERED = 30;

function promptText(columns: number, allColumns: number): string {
  if (columns === 1) return allColumns === 1 ? "Message" : "Message to active column";
  return columns === 2 ? "Message to both columns" : `Message to all ${columns} columns`;
}

interface Message {
  columnIds: readonly string[];
  text: string;
  pictures: readonly Picture[];
}

/**
 * Sends a message unless a spending limit would be broken. The limits are checked once for each press. A queued message
 * is not checked now, but when its requests are sent.
 */
function useSend(conversationId: string, mustWait: boolean) {
  const { responses } = useChat();
  const [objection, setObjection] = useState<StoredError>();
  /** The message whose limits are being checked: another press must not send it twice. */
  const checking = useRef<Message>(undefined);
  const ask = ({ columnIds, text, pictures }: Message) => responses.ask(conversationId, columnIds, text, pictures);
  return {
    objection,
    /** Drops the objection, and a message that is still being checked. */
    clear() {
      checking.current = undefined;
      setObjection(undefined);
    },
    send(message: Message, onSent: () => void) {
      if (mustWait) {
        ask(message);
        onSent();
        return;
      }
      if (checking.current !== undefined) return;
      checking.current = message;
      const { columnIds, text, pictures } = message;
      void responses.objection(conversationId, columnIds, text, pictures).then((found) => {
        if (checking.current !== message) return;
        checking.current = undefined;
        setObjection(found);
        if (found !== undefined) return;
        ask(message);
        onSent();
      });
    },
  };
}

/** Says that a spending limit stopped a message. It was not sent, and is still in the composer. */
function LimitNotice({ objection: { title, body, chargedText, nextStep } }: { objection: StoredError }) {
  return (
    <Notice
      tone="error"
      title={title}
      className="mb-2"
      actions={
        <Link to="/spend" data-command={studioCommands.goSpend.id} className={buttonClass({ size: "sm" })}>
          Open Spend
        </Link>
      }
    >
      {[body, chargedText, nextStep].filter(Boolean).join(" ")}
    </Notice>
  );
}

/** Queued messages. After a stop or an error they are sent only by a click. */
function WaitingList({ waiting, isBusy }: { waiting: readonly QueuedMessage[]; isBusy: boolean }) {
  const { responses } = useChat();
  const [first] = waiting;
  const send = {
    ...playgroundCommands.sendQueued,
    run: () => first && responses.sendWaiting(first.conversationId),
  };
  const cancels = waiting.map(({ id, text }) => ({
    ...commandFor(playgroundCommands.cancelQueued, id),
    label: `${playgroundCommands.cancelQueued.label}: ${visibleLine(text)}`,
    run: () => responses.unqueue(id),
  }));
  useCommands([...(first && !isBusy ? [send] : []), ...cancels]);
  if (!first) return null;
  return (
    <ul aria-label="Queued messages" className="m-0 mb-2 flex list-none flex-col gap-1 p-0">
      {waiting.map(({ id, text, pictures }, place) => (
        <li key={id} className="flex items-center gap-2 text-sm text-ink-2">
          <span className="min-w-0 flex-1 truncate">
            Next: <bdi>{text}</bdi>
            {pictures.length > 0 && ` (${counted(pictures.length, "image")})`}
          </span>
          {!isBusy && (
            <Button size="sm" data-command={send.id} onClick={send.run}>
              {send.label}
            </Button>
          )}
          <IconButton
            label={playgroundCommands.cancelQueued.label}
            size="sm"
            data-command={cancels[place]?.id}
            onClick={() => responses.unqueue(id)}
          >
            <X aria-hidden className="size-3.5" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** Whether no column accepts images: the completions format is text only. */
const acceptNoPictures = (columns: readonly Column[]) => columns.every(({ endpoint }) => endpoint === "completions");

function toastTextOnly(): void {
  toast({
    title: "Images not supported here",
    body: "The completions endpoint accepts only text. Choose Messages or Responses as the endpoint.",
  });
}

/** Attaches an image from this device or from History to the next message. */
function AttachButton({ conversation, columns }: { conversation: Conversation; columns: readonly Column[] }) {
  const { addFiles } = useAttach(conversation);
  const openDialog = useDialog();
  const input = useRef<HTMLInputElement>(null);
  const acts = [
    { ...playgroundCommands.attach, run: () => input.current?.click() },
    { ...playgroundCommands.attachHistory, run: () => openDialog({ kind: "picture" }) },
  ];
  const isRefused = acceptNoPictures(columns);
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

/** The images of the next message, and a note for each column whose model may not accept them. */
function ComposerPictures({ conversation, columns }: { conversation: Conversation; columns: readonly Column[] }) {
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
    const entry = models?.find((candidate) => candidate.id === model);
    const words = `${visibleLine(model, 60)} is listed without image input, so the service may reject them`;
    return entry && takesPictures(entry.raw) === false ? [{ id, words }] : [];
  });
  return (
    // Notes stand beside the images where there is room, so that the text area moves less.
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <PictureList label="Attached images" conversationId={conversation.id} pictures={pictures} onRemove={remove} />
      <div className="flex min-w-[min(100%,16rem)] flex-1 flex-col gap-1 empty:hidden">
        {pictures.map(
          ({ id, note }) =>
            note && (
              <p key={id} role="status" className="m-0 text-xs text-ink-3">
                {visibleLine(note)}
              </p>
            ),
        )}
        {notes.map(({ id, words }) => (
          <p key={id} role="status" className="m-0 text-xs text-unconfirmed">
            {words}
            {columns.length > 1 && ` (column ${columns.findIndex((column) => column.id === id) + 1})`}.
          </p>
        ))}
      </div>
    </div>
  );
}
