import type { Row } from "./media-keys.ts";

/** What can be done with a message that is written, and with those that were sent. */
export const MESSAGE_ROWS: readonly Row[] = [
  ["playground.write", "Write a message", "w"],
  ["playground.send", "Send"],
  ["playground.send-to", "Send only to the active column"],
  ["playground.stop", "Stop the answers", "esc"],
  ["playground.send-queued", "Send the queued messages"],
  ["playground.attach", "Attach image from this device"],
  ["playground.attach-history", "Attach image from History"],
  ["playground.snippets", "Insert a snippet"],
  ["playground.save-snippet", "Save the message as snippet"],
  ...(["answer", "question"] as const).flatMap((kind): Row[] => {
    const act = (name: string, word: string): Row => [
      `${kind}.${name}`,
      `${kind === "answer" ? "Answer" : "Your message"}: ${word}`,
    ];
    return [
      act("copy", "copy"),
      act("edit", "edit"),
      ...(kind === "answer"
        ? [
            act("regenerate", "regenerate"),
            act("continue", "continue"),
            act("log", "request log"),
            act("compare", "run several times and compare"),
            act("batch", "open the proposed runs in Batch"),
          ]
        : [act("exclude", "exclude from later messages"), act("include", "include in later messages")]),
      act("snippet", "save as snippet"),
      act("prompt", "open in Create as a prompt"),
      act("cache", "cache the prompt up to here"),
      act("previous", "previous version"),
      act("next", "next version"),
      act("delete", "delete"),
    ];
  }),
];

export const CONVERSATION_ROWS: readonly Row[] = [
  ["playground.list", "Show conversations"],
  ["playground.search", "Search conversations", "/"],
  ["playground.new", "New conversation", "n"],
  ["playground.temporary", "New temporary chat"],
  ["playground.import", "Import a conversation"],
  ["playground.rename", "Rename this conversation"],
  ["playground.pin", "Pin this conversation"],
  ["playground.move", "Move to a project"],
  ["playground.link", "Copy link to this conversation"],
  ["playground.delete", "Delete this conversation"],
  ["playground.export-json", "Export as JSON"],
  ["playground.export-markdown", "Export as Markdown"],
];

export const COLUMN_ROWS: readonly Row[] = [
  ["playground.parameters", "Show parameters"],
  ["playground.model", "Choose model", "mod+m"],
  ["playground.reset-preset", "Reset to preset"],
  ["playground.save-preset", "Save as preset"],
  ["playground.delete-preset", "Delete preset"],
  ["playground.check-key", "Check the key"],
  ["playground.open-in-create", "Open the model in Create"],
  ["playground.earlier", "Show earlier messages"],
  ["playground.latest", "Jump to latest"],
  ["playground.cache-system", "Cache the system prompt"],
  ["playground.remove-column", "Remove column"],
  ["playground.add-column", "Add column"],
  ["playground.log", "Request log"],
  ["playground.code", "Code"],
];

/** Columns beside each other: what was measured, and which answer is better. */
export const COMPARISON_ROWS: readonly Row[] = [
  ["playground.metrics", "Compare metrics"],
  ["playground.blind", "Compare blind"],
  ["playground.vote-a", "A is better"],
  ["playground.vote-b", "B is better"],
  ["playground.vote-c", "C is better"],
  ["playground.vote-d", "D is better"],
  ["playground.vote-tie", "Tie"],
  ["playground.vote-none", "Both are bad"],
  ["playground.blind-again", "Next round"],
  ["playground.blind-end", "End the comparison"],
  ["playground.scores", "Scoreboard"],
];
