import { useQuery } from "@tanstack/react-query";
import type { Column } from "#chat/conversation.ts";
import { setDraft } from "#chat/drafts.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { textModelQueries } from "#models/model-queries.ts";
import { Button } from "#ui/button.tsx";
import { useDialog } from "./use-dialog.ts";

const STARTERS = [
  "Explain neap tides with a table and one formula.",
  "Write a function that groups a list by a key, with its types.",
  "Three prompts for a picture of a harbour at dusk.",
];

/** A column before anything was said: what it sends and where, and a few ways to begin. */
export function EmptyColumn({ conversationId, column }: { conversationId: string; column: Column }) {
  const openDialog = useDialog();
  // The screen has just asked: its error is shown, not the same request made again.
  const { error, refetch } = useQuery({ ...textModelQueries(useApi()).all(), retryOnMount: false });
  const { id, model, endpoint } = column;
  const begin = (text: string) => {
    setDraft(conversationId, text);
    document.querySelector<HTMLElement>("[data-composer]")?.focus();
  };
  return (
    <div className="flex max-w-[60ch] flex-col items-start gap-3 pt-6">
      <p className="m-0 font-mono text-[12px] text-ink-3">POST /v1/{endpoint}</p>
      <p className="m-0 text-[14px] text-ink-2 leading-[1.62]">{ABOUT[endpoint]}</p>
      {error && <ErrorNotice error={error} doing="read" onRetry={() => void refetch()} className="w-full" />}
      {model === "" ? (
        <Button variant="primary" onClick={() => openDialog({ kind: "model", columnId: id })}>
          Choose a model
        </Button>
      ) : (
        <ul aria-label="Ways to begin" className="m-0 flex list-none flex-col items-start gap-2 p-0">
          {STARTERS.map((text) => (
            <li key={text}>
              <button
                type="button"
                onClick={() => begin(text)}
                className="min-h-9 cursor-pointer rounded-[10px] border border-line px-3 py-1.5 text-left text-[13px] text-ink-2 transition-[border-color,color] duration-150 hover:border-line-strong hover:text-ink pointer-coarse:min-h-10"
              >
                {text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const ABOUT = {
  messages:
    "Roles and content blocks. The system prompt and each message can be kept in the service\u2019s prompt cache; what was read from it and written to it is counted.",
  responses:
    "Instructions and input in, typed items out: text, and reasoning where the model tells it. Every event has a name on the wire.",
  completions:
    "A text that the model continues. As a chat, the messages are written out as one text by the template in the settings.",
};
