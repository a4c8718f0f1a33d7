import { createContext, useContext } from "react";
import type { RequestLogTab } from "#connection/request-log-view.tsx";
import type { Conversation } from "#text/conversations/conversation.ts";

/** A dialog of the playground, with its arguments. */
export type PlaygroundDialog =
  | { kind: "model"; columnId: string }
  | { kind: "requests"; turnId: string | undefined; tab: RequestLogTab }
  | { kind: "compare" }
  | { kind: "prompt"; text: string }
  | { kind: "picture" }
  | { kind: "rename"; id: string; title: string }
  | { kind: "move"; id: string }
  | { kind: "snippets" }
  | { kind: "save-snippet"; text: string }
  | { kind: "scores" };

/** The props of a dialog's content. */
export interface DialogBodyProps<Kind extends PlaygroundDialog["kind"]> {
  conversation: Conversation;
  dialog: Extract<PlaygroundDialog, { kind: Kind }>;
  onClose: () => void;
}

export const DialogContext = createContext<(dialog: PlaygroundDialog) => void>(() => {});

/** Returns the function that opens one of the playground's dialogs. */
export function useDialog(): (dialog: PlaygroundDialog) => void {
  return useContext(DialogContext);
}
