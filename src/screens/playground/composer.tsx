import { ArrowUp, Pencil, SlidersHorizontal, X } from "lucide-react";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { useChat, useChatState } from "#chat/chat.ts";
import type { Conversation } from "#chat/conversation.ts";
import type { QueuedMessage } from "#chat/unsent-messages.ts";
import { setDraft, useDraft } from "#chat/unsent-messages.ts";
import { getConnection } from "#connection/connection-store.ts";
import { findKey, type KeyFinding } from "#connection/key-in-text.ts";
import { KeyNotice } from "#connection/key-notice.tsx";
import { visibleLine } from "#lib/visible-text.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { fitHeight, Select } from "#ui/field.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { AttachButton, ComposerPictures, sayTextAlone, takesNone } from "./composer-pictures.tsx";
import { ContextLine } from "./context-line.tsx";
import { picturesIn, useAttach } from "./use-attach.ts";
import { useDialog } from "./use-dialog.ts";

/** Where the next message is written, for all columns or for one. While one answers, the message waits for its turn. */
export function Composer({ conversation }: { conversation: Conversation }) {
  const chat = useChat();
  const { answers } = chat;
  const openDialog = useDialog();
  const text = useDraft(conversation.id);
  const setText = (next: string) => setDraft(conversation.id, next, conversation);
  const [target, setTarget] = useState("all");
  const area = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as high as the text, whoever wrote it.
  useLayoutEffect(() => fitHeight(area.current), [text]);
  const [finding, setFinding] = useState<KeyFinding>();
  const { id } = conversation;
  const columns = conversation.columns.filter(({ isDocument }) => !isDocument);
  const asked = columns.filter((column) => target === "all" || column.id === target);
  const all = asked.length > 0 ? asked : columns;
  const isBusy = useChatState(({ runs }) => Object.values(runs).some(({ conversationId }) => conversationId === id));
  const queue = useChatState((state) => state.queue);
  const waiting = queue.filter(({ conversationId }) => conversationId === id);
  const hasModels = all.every(({ model }) => model !== "");
  const attach = useAttach(conversation);
  const canSend = (text.trim() !== "" || attach.count > 0) && hasModels;
  const prompt = promptText(all.length);

  const send = () => {
    if (!canSend) return;
    const written = [text, attach.pictures.map(({ url }) => url), all.map(({ system, params }) => [system, params])];
    const inIt = findKey(written, getConnection()?.keyShape);
    setFinding(inIt);
    if (inIt) return;
    answers.ask(
      id,
      all.map((column) => column.id),
      text.trim(),
      attach.pictures.map(({ note: _, ...picture }) => picture),
    );
    setText("");
    attach.clear();
    area.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends the composition of a word (input method) does not send.
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape" && isBusy) {
      event.preventDefault();
      answers.stop(id);
    }
  };
  /** What comes by pasting or dropping: pictures go into the question, anything else where it would go. */
  const take = (event: { preventDefault: () => void }, data: DataTransfer | null) => {
    const files = picturesIn(data);
    if (files.length === 0) return;
    event.preventDefault();
    if (takesNone(all)) sayTextAlone();
    else void attach.addFiles(files);
  };
  const openSettings = () => {
    const first = all[0];
    if (first) openDialog({ kind: "settings", columnId: first.id });
  };
  const group = "Message";
  const write = { id: "playground.write", label: "Write a message", group, keys: "/", icon: Pencil };
  const settings = {
    id: "playground.parameters",
    label: "System and parameters",
    group,
    icon: SlidersHorizontal,
    run: openSettings,
  };
  const submit = {
    id: "playground.send",
    label: "Send",
    group,
    icon: ArrowUp,
    ...(canSend ? {} : { unavailable: hasModels ? "There is no message to send" : "Choose a model first" }),
    run: send,
  };
  const stop = { ...STOP, run: () => answers.stop(id) };
  useCommands([{ ...write, run: () => area.current?.focus() }, settings, submit, ...(isBusy ? [stop] : [])]);
  const stopProps = useCommandProps(STOP);
  return (
    <div className="border-line border-t bg-panel px-[18px] pt-3.5 pb-4 max-sm:px-3 max-sm:pt-2.5 max-sm:pb-2.5">
      <WaitingList waiting={waiting} isBusy={isBusy} />
      {finding && <KeyNotice finding={finding} what="message" onSendAnyway={send} className="mb-2" />}
      <section
        aria-label="New message"
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes("Files")) event.preventDefault();
        }}
        onDrop={(event) => take(event, event.dataTransfer)}
        className="flex flex-col gap-3 rounded-[12px] border border-line-strong bg-canvas p-3 pb-2.5 transition-[border-color] duration-150 has-[textarea:focus-visible]:border-focus max-sm:gap-2"
      >
        <ComposerPictures conversation={conversation} columns={all} />
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
            setText(event.target.value);
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => take(event, event.clipboardData)}
          className="field-sizing-content max-h-[40dvh] min-h-6 w-full resize-none pointer-coarse:min-h-11 border-0 bg-transparent p-0 text-[14px] text-ink leading-[22px] outline-none placeholder:text-ink-3 pointer-coarse:text-[16px]"
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button size="sm" data-command={settings.id} aria-label={settings.label} onClick={openSettings}>
            <SlidersHorizontal aria-hidden className="size-4 sm:hidden" />
            <span className="max-sm:hidden">System and parameters</span>
          </Button>
          <AttachButton conversation={conversation} columns={all} />
          {columns.length > 1 && (
            <Select
              compact
              aria-label="Send to"
              value={all.length === 1 ? (all[0]?.id ?? "all") : "all"}
              onChange={(event) => setTarget(event.target.value)}
            >
              <option value="all">{columns.length === 2 ? "Both columns" : "All columns"}</option>
              {columns.map((column, index) => (
                <option key={column.id} value={column.id}>
                  Column {index + 1}: {visibleLine(column.model)}
                </option>
              ))}
            </Select>
          )}
          <span className="ml-auto text-[12px] text-ink-3 max-sm:hidden">
            {isBusy
              ? "Stop keeps the partial answer. You may still be charged."
              : hasModels
                ? ""
                : "Choose a model first"}
          </span>
          {isBusy && (
            <Button
              variant="primary"
              className="max-sm:ml-auto"
              {...stopProps}
              title="Stop keeps the partial answer. You may still be charged."
              onClick={() => answers.stop(id)}
            >
              Stop <Kbd keys={STOP.keys} command={STOP.id} />
            </Button>
          )}
          {(!isBusy || canSend) && (
            <Button
              variant={isBusy ? "outline" : "primary"}
              className={isBusy ? "" : "max-sm:ml-auto"}
              aria-disabled={!canSend}
              data-command={submit.id}
              aria-keyshortcuts="Enter"
              onClick={send}
            >
              <ArrowUp aria-hidden className="size-4" />
              {isBusy ? "Send next" : "Send"}
            </Button>
          )}
        </div>
      </section>
      <ContextLine columns={all} text={text} pictures={attach.pictures} />
    </div>
  );
}

const STOP = { id: "playground.stop", label: "Stop the answers", group: "Message", keys: "esc" };

function promptText(columns: number): string {
  if (columns === 1) return "Message";
  return columns === 2 ? "Message to both columns" : `Message to all ${columns} columns`;
}

/** Messages that wait for the answer before them. After a stop or an error they are sent only by hand. */
function WaitingList({ waiting, isBusy }: { waiting: readonly QueuedMessage[]; isBusy: boolean }) {
  const { answers } = useChat();
  const [first] = waiting;
  const group = "Message";
  const send = {
    id: "playground.send-queued",
    label: "Send the queued messages",
    group,
    run: () => first && answers.sendWaiting(first.conversationId),
  };
  const cancels = waiting.map(({ id, text }) => ({
    id: `message:cancel-${id}`,
    label: `Cancel message: ${visibleLine(text)}`,
    group,
    run: () => answers.unqueue(id),
  }));
  useCommands([...(first && !isBusy ? [send] : []), ...cancels]);
  if (!first) return null;
  return (
    <ul aria-label="Queued messages" className="m-0 mb-2 flex list-none flex-col gap-1 p-0">
      {waiting.map(({ id, text, pictures }, place) => (
        <li key={id} className="flex items-center gap-2 text-[12.5px] text-ink-2">
          <span className="min-w-0 flex-1 truncate">
            Next: <bdi>{text}</bdi>
            {pictures.length > 0 && ` (${pictures.length === 1 ? "1 image" : `${pictures.length} images`})`}
          </span>
          {!isBusy && (
            <Button size="sm" data-command={send.id} onClick={send.run}>
              Send now
            </Button>
          )}
          <IconButton
            label="Cancel message"
            size="sm"
            data-command={cancels[place]?.id}
            onClick={() => answers.unqueue(id)}
          >
            <X aria-hidden className="size-3.5" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
