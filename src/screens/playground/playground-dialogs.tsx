import { useState } from "react";
import type { Conversation } from "#chat/conversation.ts";
import { Dialog } from "#ui/dialog.tsx";
import { lazyNamed } from "#ui/lazy-named.tsx";
import { ConversationList } from "./conversation-list.tsx";
import { TextModelPicker } from "./text-model-picker.tsx";
import type { PlaygroundDialog } from "./use-dialog.ts";

// The list and the model picker are opened all the time; the code of the others comes when it is first asked for.
const ColumnSettings = lazyNamed(() => import("./column-settings.tsx"), "ColumnSettings");
const RequestLogPanel = lazyNamed(() => import("./request-log-panel.tsx"), "RequestLogPanel");
const CompareTable = lazyNamed(() => import("./compare-table.tsx"), "CompareTable");
const PromptToCreate = lazyNamed(() => import("./prompt-to-create.tsx"), "PromptToCreate");
const PickPicture = lazyNamed(() => import("./pick-picture.tsx"), "PickPicture");

const TITLES: Record<PlaygroundDialog["kind"], string> = {
  conversations: "Conversations",
  model: "Choose a model",
  settings: "Column settings",
  requests: "Request log",
  compare: "Metrics",
  prompt: "Open in Create as a prompt",
  picture: "Attach an image from History",
};

/** The one dialog of the playground, with the content that was asked for. */
export function PlaygroundDialogs({
  conversation,
  dialog,
  onClose,
}: {
  conversation: Conversation;
  dialog: PlaygroundDialog | undefined;
  onClose: () => void;
}) {
  // The content stays while the dialog closes.
  const [last, setLast] = useState(dialog);
  if (dialog !== undefined && dialog !== last) setLast(dialog);
  const isWide = last?.kind === "requests" || last?.kind === "compare" || last?.kind === "picture";
  return (
    <Dialog
      open={dialog !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={TITLES[last?.kind ?? "conversations"]}
      size={isWide ? "lg" : "md"}
      atTop={last?.kind === "conversations" || last?.kind === "model"}
    >
      {last && <DialogBody conversation={conversation} dialog={last} onClose={onClose} />}
    </Dialog>
  );
}

function DialogBody({
  dialog,
  ...rest
}: {
  conversation: Conversation;
  dialog: PlaygroundDialog;
  onClose: () => void;
}) {
  switch (dialog.kind) {
    case "conversations":
      return <ConversationList dialog={dialog} {...rest} />;
    case "model":
      return <TextModelPicker dialog={dialog} {...rest} />;
    case "settings":
      return <ColumnSettings dialog={dialog} {...rest} />;
    case "requests":
      return <RequestLogPanel dialog={dialog} {...rest} />;
    case "compare":
      return <CompareTable dialog={dialog} {...rest} />;
    case "prompt":
      return <PromptToCreate dialog={dialog} {...rest} />;
    case "picture":
      return <PickPicture dialog={dialog} {...rest} />;
  }
}
