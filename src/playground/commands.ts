import { defineCommands } from "#ui/commands.ts";

export const playgroundCommands = {
  ...defineCommands(
    { group: "Message", places: ["playground"] },
    {
      write: { id: "playground.write", label: "Write message", keys: "w" },
      send: { id: "playground.send", label: "Send", spends: true },
      sendTo: { id: "playground.send-to", label: "Send to active column only" },
      stop: { id: "playground.stop", label: "Stop responses", keys: "esc" },
      sendQueued: { id: "playground.send-queued", label: "Send queued", spends: true },
      cancelQueued: { id: "playground.cancel-queued", label: "Remove queued message", isPerItem: true },
      attach: { id: "playground.attach", label: "Attach image from this device" },
      attachHistory: { id: "playground.attach-history", label: "Attach image from History" },
      removeImage: { id: "playground.remove-image", label: "Remove image", isPerItem: true },
      snippets: { id: "playground.snippets", label: "Insert snippet" },
      insertSnippet: { id: "playground.insert-snippet", label: "Insert saved snippet", isPerItem: true },
      saveSnippet: { id: "playground.save-snippet", label: "Save message as snippet" },
      example: { id: "playground.example", label: "Start with example", isPerItem: true },
    },
  ),
  ...defineCommands(
    { group: "Chat", places: ["playground"] },
    {
      list: { id: "playground.list", label: "Show chats" },
      open: { id: "playground.open", label: "Open chat", kind: "go", isPerItem: true },
      search: { id: "playground.search", label: "Search chats", keys: "/" },
      new: { id: "playground.new", label: "New chat", keys: "shift+n" },
      temporary: { id: "playground.temporary", label: "Temporary chat" },
      import: { id: "playground.import", label: "Import chat" },
      rename: { id: "playground.rename", label: "Rename chat" },
      pin: { id: "playground.pin", label: "Pin chat" },
      move: { id: "playground.move", label: "Move to project" },
      link: { id: "playground.link", label: "Copy chat link" },
      delete: { id: "playground.delete", label: "Delete chat" },
      exportJson: { id: "playground.export-json", label: "Export as JSON" },
      exportMarkdown: { id: "playground.export-markdown", label: "Export as Markdown" },
    },
  ),
  ...defineCommands(
    { group: "Column", places: ["playground"] },
    {
      parameters: { id: "playground.parameters", label: "Show parameters" },
      resetPreset: { id: "playground.reset-preset", label: "Reset to preset" },
      savePreset: { id: "playground.save-preset", label: "Save as preset" },
      deletePreset: { id: "playground.delete-preset", label: "Delete preset" },
      checkKey: { id: "playground.check-key", label: "Check key", kind: "go" },
      openInCreate: { id: "playground.open-in-create", label: "Open model in Create", kind: "go" },
      earlier: { id: "playground.earlier", label: "Show earlier messages" },
      latest: { id: "playground.latest", label: "Jump to latest" },
      cacheSystem: { id: "playground.cache-system", label: "Cache system prompt" },
      removeColumn: { id: "playground.remove-column", label: "Remove column" },
      addColumn: { id: "playground.add-column", label: "Add column" },
      log: { id: "playground.log", label: "Request log" },
      code: { id: "playground.code", label: "Code" },
    },
  ),
  ...defineCommands(
    { group: "Comparison", places: ["playground"] },
    {
      compare: { id: "playground.blind", label: "Blind comparison" },
      metrics: { id: "playground.metrics", label: "Compare metrics" },
      voteA: { id: "playground.vote-a", label: "A is better" },
      voteB: { id: "playground.vote-b", label: "B is better" },
      voteC: { id: "playground.vote-c", label: "C is better" },
      voteD: { id: "playground.vote-d", label: "D is better" },
      voteTie: { id: "playground.vote-tie", label: "Tie" },
      voteNone: { id: "playground.vote-none", label: "Both are bad" },
      nextRound: { id: "playground.blind-again", label: "Next round" },
      endBlind: { id: "playground.blind-end", label: "End comparison" },
      scores: { id: "playground.scores", label: "Scoreboard" },
    },
  ),
};

/** Commands for a response: the one that had the focus last, else the latest. */
export const responseCommands = defineCommands(
  { group: "Response", places: ["playground"] },
  {
    copy: { id: "answer.copy", label: "Copy" },
    edit: { id: "answer.edit", label: "Edit" },
    regenerate: { id: "answer.regenerate", label: "Regenerate", spends: true },
    continue: { id: "answer.continue", label: "Continue", spends: true },
    log: { id: "answer.log", label: "Request log" },
    batch: { id: "answer.batch", label: "Open proposed runs in Batch" },
    laterBatch: { id: "answer.later-batch", label: "Open more proposed runs in Batch", isPerItem: true },
    snippet: { id: "answer.snippet", label: "Save as snippet" },
    prompt: { id: "answer.prompt", label: "Open in Create as prompt" },
    cache: { id: "answer.cache", label: "Cache prompt up to here" },
    previous: { id: "answer.previous", label: "Previous version" },
    next: { id: "answer.next", label: "Next version" },
    delete: { id: "answer.delete", label: "Delete" },
  },
);

/** Commands for a message that the person sent. */
export const questionCommands = defineCommands(
  { group: "Your message", places: ["playground"] },
  {
    copy: { id: "question.copy", label: "Copy" },
    edit: { id: "question.edit", label: "Edit" },
    exclude: { id: "question.exclude", label: "Exclude from context" },
    include: { id: "question.include", label: "Include in context" },
    snippet: { id: "question.snippet", label: "Save as snippet" },
    prompt: { id: "question.prompt", label: "Open in Create as prompt" },
    cache: { id: "question.cache", label: "Cache prompt up to here" },
    previous: { id: "question.previous", label: "Previous version" },
    next: { id: "question.next", label: "Next version" },
    delete: { id: "question.delete", label: "Delete" },
  },
);

/** Commands for a document of the completions endpoint. */
export const documentCommands = defineCommands(
  { group: "Document", places: ["playground"] },
  {
    continue: { id: "document.continue", label: "Continue document", keys: "mod+enter", spends: true },
    stop: { id: "document.stop", label: "Stop", keys: "esc" },
    takeAll: { id: "document.take-all", label: "Accept all" },
    takeWord: { id: "document.take-word", label: "Accept word" },
    dismiss: { id: "document.dismiss", label: "Discard continuation" },
    undo: { id: "document.undo", label: "Undo" },
  },
);
