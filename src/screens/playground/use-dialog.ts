import { createContext, useContext } from "react";

/** What is laid over the playground. */
export type PlaygroundDialog =
  | { kind: "conversations" }
  | { kind: "model"; columnId: string }
  | { kind: "settings"; columnId: string }
  | { kind: "wire"; turnId: string | undefined; tab: "wire" | "code" }
  | { kind: "compare" }
  | { kind: "prompt"; text: string };

export const DialogContext = createContext<(dialog: PlaygroundDialog) => void>(() => {});

/** Opens one of the playground's dialogs. */
export function useDialog(): (dialog: PlaygroundDialog) => void {
  return useContext(DialogContext);
}
