import { defineCommands } from "#ui/commands.ts";

/** What can be done with results: each act has one name and one key, wherever results are shown. */
export const resultCommands = {
  ...defineCommands(
    { group: "Result", places: ["create", "job", "history", "viewer", "compare", "batch"] },
    { star: { id: "result.star", label: "Star", keys: "s" } },
  ),
  ...defineCommands(
    { group: "Result", places: ["create", "job", "history", "viewer", "batch"] },
    {
      download: { id: "result.download", label: "Download", keys: "d" },
      compare: { id: "result.compare", label: "Compare", keys: "m" },
    },
  ),
  ...defineCommands(
    { group: "Result", places: ["create", "job", "history", "viewer"] },
    {
      editAgain: { id: "result.edit-again", label: "Edit and run again", keys: "r" },
      newSeed: { id: "result.new-seed", label: "Same settings, new seed", keys: "n" },
      input: { id: "result.input", label: "Use as input" },
      // Laptops have no Del.
      delete: { id: "result.delete", label: "Delete files", keys: "delete", alsoKeys: "backspace" },
    },
  ),
  ...defineCommands(
    { group: "Result", places: ["history", "viewer", "compare"] },
    {
      compareModels: { id: "result.compare-models", label: "Compare models", keys: "shift+m" },
      reusePrompt: { id: "result.reuse-prompt", label: "Reuse prompt only" },
      reuseSeed: { id: "result.reuse-seed", label: "Reuse seed only" },
    },
  ),
  ...defineCommands(
    { group: "Result", places: ["batch", "viewer"] },
    { reject: { id: "result.reject", label: "Hide", keys: "x" } },
  ),
  ...defineCommands(
    { group: "Result", places: ["create", "batch", "viewer"] },
    { open: { id: "result.open", label: "Open job" } },
  ),
  ...defineCommands(
    { group: "Result", places: ["viewer"] },
    {
      fullScreen: { id: "result.full-screen", label: "Full screen", keys: "f" },
      first: { id: "result.first", label: "First", keys: "home" },
      last: { id: "result.last", label: "Last", keys: "end" },
    },
  ),
  ...defineCommands(
    { group: "Result", places: ["viewer", "compare"] },
    {
      details: { id: "result.details", label: "Details", keys: "i" },
      previous: { id: "result.previous", label: "Previous", keys: "arrowleft", repeats: true },
      next: { id: "result.next", label: "Next", keys: "arrowright", repeats: true },
      actualSize: { id: "result.actual-size", label: "Actual size", keys: "1" },
      fit: { id: "result.fit", label: "Fit to window", keys: "0" },
    },
  ),
  ...defineCommands(
    { group: "Result", places: ["viewer", "compare", "batch"] },
    {
      zoomIn: { id: "result.zoom-in", label: "Zoom in", keys: "plus", repeats: true },
      zoomOut: { id: "result.zoom-out", label: "Zoom out", keys: "-", repeats: true },
    },
  ),
};

/** What can be done in the comparison alone, where two results are called A and B. */
export const compareCommands = defineCommands(
  { group: "Compare", places: ["compare"] },
  {
    swap: { id: "compare.swap", label: "Swap", keys: "c" },
    // The id has an older name: ids never change, because the keys that a person chose are stored by them.
    mode: { id: "compare.way", label: "Next comparison mode", keys: "v" },
    scale: { id: "compare.scale", label: "Change scale" },
    starA: { id: "compare.star-a", label: "Star A", keys: "shift+s" },
    previousA: { id: "compare.previous-a", label: "Previous for A", keys: "shift+arrowleft", repeats: true },
    nextA: { id: "compare.next-a", label: "Next for A", keys: "shift+arrowright", repeats: true },
  },
);

/** What can be done with one job, beside its form and on its own page. */
export const jobCommands = defineCommands(
  { group: "Job", places: ["create", "job"] },
  {
    downloadAll: { id: "result.download-all", label: "Download all" },
    downloadFile: { id: "result.download-file", label: "Download file" },
    share: { id: "result.share", label: "Share" },
    runAgain: { id: "result.run-again", label: "Run again" },
    otherModel: { id: "result.other-model", label: "Choose another model" },
    animate: { id: "result.animate", label: "Animate" },
    large: { id: "result.large", label: "View full size" },
    all: { id: "result.all", label: "Show all results" },
    settings: { id: "result.settings", label: "All settings" },
    log: { id: "result.log", label: "Request log" },
    copyId: { id: "result.copy-id", label: "Copy job ID" },
    import: { id: "result.import", label: "Import job" },
    notifyWhenDone: { id: "notify-when-done", label: "Notify me when done" },
  },
);
