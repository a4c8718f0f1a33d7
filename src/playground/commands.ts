import { defineCommands } from "#ui/commands.ts";

export const playgroundCommands = {
  ...defineCommands(
    { group: "Message", places: ["playground"] },
    {
      write: { id: "playground.write", label: "Write a message", keys: "w" },
      send: { id: "playground.send", label: "Send", spends: true },
      sendTo: { id: "playground.send-to", label: "Send only to the active column" },
      stop: { id: "playground.stop", label: "Stop the answers", keys: "esc" },
      sendQueued: { id: "playground.send-queued", label: "Send the queued messages", spends: true },
      cancelQueued: { id: "playground.cancel-queued", label: "Remove a queued message", isPerItem: true },
      attach: { id: "playground.attach", label: "Attach image from this device" },
      attachHistory: { id: "playground.attach-history", label: "Attach image from History" },
      removeImage: { id: "playground.remove-image", label: "Remove an image", isPerItem: true },
      snippets: { id: "playground.snippets", label: "Insert a snippet" },
      insertSnippet: { id: "playground.insert-snippet", label: "Insert one snippet", isPerItem: true },
      saveSnippet: { id: "playground.save-snippet", label: "Save the message as snippet" },
      example: { id: "playground.example", label: "Start with an example", isPerItem: true },
    },
  ),
  ...defineCommands(
    { group: "Conversation", places: ["playground"] },
    {
      list: { id: "playground.list", label: "Show conversations" },
      open: { id: "playground.open", label: "Open a conversation", kind: "go", isPerItem: true },
      search: { id: "playground.search", label: "Search conversations", keys: "/" },
      new: { id: "playground.new", label: "New conversation", keys: "shift+n" },
      temporary: { id: "playground.temporary", label: "New temporary chat" },
      import: { id: "playground.import", label: "Import a conversation" },
      rename: { id: "playground.rename", label: "Rename this conversation" },
      pin: { id: "playground.pin", label: "Pin this conversation" },
      move: { id: "playground.move", label: "Move to a project" },
      link: { id: "playground.link", label: "Copy link to this conversation" },
      delete: { id: "playground.delete", label: "Delete this conversation" },
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
      checkKey: { id: "playground.check-key", label: "Check the key", kind: "go" },
      openInCreate: { id: "playground.open-in-create", label: "Open the model in Create", kind: "go" },
      earlier: { id: "playground.earlier", label: "Show earlier messages" },
      latest: { id: "playground.latest", label: "Jump to latest" },
      cacheSystem: { id: "playground.cache-system", label: "Cache the system prompt" },
      removeColumn: { id: "playground.remove-column", label: "Remove column" },
      addColumn: { id: "playground.add-column", label: "Add column" },
      log: { id: "playground.log", label: "Request log" },
      code: { id: "playground.code", label: "Code" },
    },
  ),
  ...defineCommands(
    { group: "Comparison", places: ["playground"] },
    {
      compare: { id: "playground.blind", label: "Compare blind" },
      metrics: { id: "playground.metrics", label: "Compare metrics" },
      voteA: { id: "playground.vote-a", label: "A is better" },
      voteB: { id: "playground.vote-b", label: "B is better" },
      voteC: { id: "playground.vote-c", label: "C is better" },
      voteD: { id: "playground.vote-d", label: "D is better" },
      voteTie: { id: "playground.vote-tie", label: "Tie" },
      voteNone: { id: "playground.vote-none", label: "Both are bad" },
      nextRound: { id: "playground.blind-again", label: "Next round" },
      endBlind: { id: "playground.blind-end", label: "End the comparison" },
      scores: { id: "playground.scores", label: "Scoreboard" },
    },
  ),
};

/** Commands for an answer: the one that had the focus last, else the newest. */
export const answerCommands = defineCommands(
  { group: "Answer", places: ["playground"] },
  {
    copy: { id: "answer.copy", label: "Copy" },
    edit: { id: "answer.edit", label: "Edit" },
    regenerate: { id: "answer.regenerate", label: "Regenerate", spends: true },
    continue: { id: "answer.continue", label: "Continue", spends: true },
    log: { id: "answer.log", label: "Request log" },
    compare: { id: "answer.compare", label: "Run several times and compare" },
    batch: { id: "answer.batch", label: "Open the proposed runs in Batch" },
    laterBatch: { id: "answer.later-batch", label: "Open further proposed runs in Batch", isPerItem: true },
    snippet: { id: "answer.snippet", label: "Save as snippet" },
    prompt: { id: "answer.prompt", label: "Open in Create as a prompt" },
    cache: { id: "answer.cache", label: "Cache the prompt up to here" },
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
    exclude: { id: "question.exclude", label: "Exclude from later messages" },
    include: { id: "question.include", label: "Include in later messages" },
    snippet: { id: "question.snippet", label: "Save as snippet" },
    prompt: { id: "question.prompt", label: "Open in Create as a prompt" },
    cache: { id: "question.cache", label: "Cache the prompt up to here" },
    previous: { id: "question.previous", label: "Previous version" },
    next: { id: "question.next", label: "Next version" },
    delete: { id: "question.delete", label: "Delete" },
  },
);

/** Commands for a document of the completions endpoint. */
export const documentCommands = defineCommands(
  { group: "Document", places: ["playground"] },
  {
    continue: { id: "document.continue", label: "Continue the document", keys: "mod+enter", spends: true },
    stop: { id: "document.stop", label: "Stop", keys: "esc" },
    takeAll: { id: "document.take-all", label: "Accept all" },
    takeWord: { id: "document.take-word", label: "Accept a word" },
    dismiss: { id: "document.dismiss", label: "Dismiss the continuation" },
    undo: { id: "document.undo", label: "Undo" },
  },
);
