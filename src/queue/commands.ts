import { defineCommands } from "#ui/commands.ts";

export const queueCommands = defineCommands(
  { group: "Queue", places: [] },
  {
    open: { id: "queue.open", label: "Open queue" },
    openBatch: { id: "queue.batch", label: "Open batch", isPerItem: true },
    pause: { id: "queue.pause", label: "Pause", isPerItem: true },
    resume: { id: "queue.resume", label: "Resume", isPerItem: true, spends: true },
    cancel: { id: "queue.cancel", label: "Cancel remaining", isPerItem: true },
    remove: { id: "queue.remove", label: "Remove from queue", isPerItem: true },
    copyUpload: { id: "queue.copy", label: "Copy upload URL", isPerItem: true },
    endUpload: { id: "queue.upload", label: "Cancel upload", isPerItem: true },
    retryUpload: { id: "queue.retry", label: "Try upload again", isPerItem: true },
  },
);
