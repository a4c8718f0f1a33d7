import { type ComponentType, lazy, useState } from "react";
import type { Conversation } from "#chat/conversation.ts";
import { Dialog } from "#ui/dialog.tsx";
import { OnDemand } from "#ui/on-demand.tsx";
import type { PlaygroundDialog } from "./use-dialog.ts";

const ConversationList = lazy(() => import("./conversation-list.tsx").then((m) => ({ default: m.ConversationList })));
const TextModelPicker = lazy(() => import("./text-model-picker.tsx").then((m) => ({ default: m.TextModelPicker })));
const ColumnSettings = lazy(() => import("./column-settings.tsx").then((m) => ({ default: m.ColumnSettings })));
const AnswerWire = lazy(() => import("./answer-wire.tsx").then((m) => ({ default: m.AnswerWire })));
const CompareTable = lazy(() => import("./compare-table.tsx").then((m) => ({ default: m.CompareTable })));
const PromptToCreate = lazy(() => import("./prompt-to-create.tsx").then((m) => ({ default: m.PromptToCreate })));

export interface DialogBodyProps<Kind extends PlaygroundDialog["kind"]> {
  conversation: Conversation;
  dialog: Extract<PlaygroundDialog, { kind: Kind }>;
  onClose: () => void;
}

const TITLES: Record<PlaygroundDialog["kind"], string> = {
  conversations: "Conversations",
  model: "Choose a model",
  settings: "Settings of the column",
  wire: "On the wire",
  compare: "Measured",
  prompt: "Open in Create as a prompt",
};

/** The dialogs of the playground; each one's code comes when it is first asked for. */
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
  const isWide = last?.kind === "wire" || last?.kind === "compare";
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
      <OnDemand when={dialog !== undefined}>
        {last && <DialogBody conversation={conversation} dialog={last} onClose={onClose} />}
      </OnDemand>
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
  const Body = BODIES[dialog.kind] as ComponentType<typeof rest & { dialog: PlaygroundDialog }>;
  return <Body dialog={dialog} {...rest} />;
}

const BODIES: { [Kind in PlaygroundDialog["kind"]]: ComponentType<DialogBodyProps<Kind>> } = {
  conversations: ConversationList,
  model: TextModelPicker,
  settings: ColumnSettings,
  wire: AnswerWire,
  compare: CompareTable,
  prompt: PromptToCreate,
};
