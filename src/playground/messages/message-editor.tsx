import { useEffect } from "react";
import { useForm, useWatch } from "react-hook-form";
import { findKey } from "#connection/find-key.ts";
import { KeyNotice } from "#connection/key-notice.tsx";
import { useChat } from "#text/chat.ts";
import type { Turn } from "#text/conversations/thread.ts";
import { Button } from "#ui/button.tsx";
import { TextArea } from "#ui/field.tsx";
import { matchesShortcut } from "#ui/keys.ts";
import { useIsAnswering, WAIT } from "./message-acts.ts";

/** Writes another version of a message. The old one stays, one press away. */
export function MessageEditor({
  conversationId,
  columnId,
  turn,
  onClose,
}: {
  conversationId: string;
  columnId: string;
  turn: Turn;
  onClose: () => void;
}) {
  const { answers } = useChat();
  const { control, register, handleSubmit, setFocus, clearErrors, formState } = useForm({
    defaultValues: { text: turn.text },
    reValidateMode: "onSubmit",
    shouldFocusError: false,
  });
  useEffect(() => setFocus("text"), [setFocus]);
  const text = useWatch({ control, name: "text" });
  const finding = formState.errors.text && findKey(text);
  const isUser = turn.role === "user";
  const isBusy = useIsAnswering(columnId) && isUser;
  // What is checked after a press is sent a moment later: a second press until then would ask, and be charged, twice.
  const canSave = text.trim() !== "" && text !== turn.text && !isBusy && !formState.isSubmitting;
  const submit = handleSubmit((values) => {
    answers.edit(conversationId, columnId, turn.id, values.text);
    onClose();
  });
  const save = () => canSave && void submit();
  return (
    <div className="flex max-w-[66ch] flex-col gap-2">
      <TextArea
        aria-label={isUser ? "Edit your message" : "Edit the answer"}
        rows={3}
        {...register("text", {
          validate: (typed) => !isUser || findKey(typed) === undefined,
          onChange: () => clearErrors("text"),
        })}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            onClose();
          } else if (matchesShortcut("mod+enter", event)) save();
        }}
      />
      {finding && <KeyNotice finding={finding} what="message" onSendAnyway={save} />}
      <div className="flex gap-2">
        <Button size="sm" variant="primary" aria-disabled={!canSave} title={isBusy ? WAIT : undefined} onClick={save}>
          {isUser ? "Save and send" : "Save as version"}
        </Button>
        <Button size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
