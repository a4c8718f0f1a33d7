import { type ReactNode, useState } from "react";
import type { Conversation } from "#text/conversations/conversation.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MetricsTable } from "./columns/metrics-table.tsx";
import { PromptToCreate } from "./columns/prompt-to-create.tsx";
import { RequestLogPanel } from "./columns/request-log-panel.tsx";
import { ScoreBoard } from "./columns/score-board.tsx";
import { TextModelPicker } from "./columns/text-model-picker.tsx";
import { PickPicture } from "./composer/pick-picture.tsx";
import { MoveConversation, RenameConversation } from "./conversations/conversation-dialogs.tsx";
import { SaveSnippet, SnippetDialog } from "./snippets/snippet-dialogs.tsx";
import type { PlaygroundDialog } from "./use-dialog.ts";

const TITLES: Record<PlaygroundDialog["kind"], string> = {
  model: "Choose a model",
  requests: "Request log",
  compare: "Metrics",
  prompt: "Open in Create as a prompt",
  picture: "Attach an image from History",
  rename: "Rename the conversation",
  move: "Move to a project",
  snippets: "Insert a snippet",
  "save-snippet": "Save as snippet",
  scores: "Scoreboard",
};

const WIDE = new Set<PlaygroundDialog["kind"]>(["requests", "compare", "picture"]);
const AT_TOP = new Set<PlaygroundDialog["kind"]>(["model", "snippets", "move"]);

/** The one dialog of the playground, with the content that was asked for. */
export function PlaygroundDialogs({
  conversation,
  dialog,
  onClose,
}: {
  /** Absent where none is open: then only what is about others can be asked for. */
  conversation: Conversation | undefined;
  dialog: PlaygroundDialog | undefined;
  onClose: () => void;
}) {
  // The content stays while the dialog closes.
  const [last, setLast] = useState(dialog);
  if (dialog !== undefined && dialog !== last) setLast(dialog);
  return (
    <Dialog
      open={dialog !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={TITLES[last?.kind ?? "model"]}
      size={last && WIDE.has(last.kind) ? "lg" : last?.kind === "rename" ? "sm" : "md"}
      atTop={last !== undefined && AT_TOP.has(last.kind)}
    >
      {last?.kind === "rename" ? (
        <RenameConversation dialog={last} onClose={onClose} />
      ) : last?.kind === "move" ? (
        <MoveConversation dialog={last} onClose={onClose} />
      ) : (
        last && conversation && <DialogBody conversation={conversation} dialog={last} onClose={onClose} />
      )}
    </Dialog>
  );
}

function DialogBody({
  dialog,
  ...rest
}: {
  conversation: Conversation;
  dialog: Exclude<PlaygroundDialog, { kind: "rename" | "move" }>;
  onClose: () => void;
}): ReactNode {
  switch (dialog.kind) {
    case "model":
      return <TextModelPicker dialog={dialog} {...rest} />;
    case "requests":
      return <RequestLogPanel dialog={dialog} {...rest} />;
    case "compare":
      return <MetricsTable dialog={dialog} {...rest} />;
    case "prompt":
      return <PromptToCreate dialog={dialog} {...rest} />;
    case "picture":
      return <PickPicture dialog={dialog} {...rest} />;
    case "snippets":
      return <SnippetDialog dialog={dialog} {...rest} />;
    case "save-snippet":
      return <SaveSnippet dialog={dialog} {...rest} />;
    case "scores":
      return <ScoreBoard />;
  }
}
