import { defineCommands } from "#ui/commands.ts";

export const batchCommands = {
  ...defineCommands(
    { group: "Batch", places: ["batch"] },
    {
      run: { id: "batch.run", label: "Run batch", keys: "mod+enter", spends: true },
      pause: { id: "batch.pause", label: "Pause" },
      resume: { id: "batch.resume", label: "Resume", spends: true },
      cancel: { id: "batch.cancel", label: "Cancel remaining" },
      rules: { id: "batch.rules", label: "Run settings" },
      rename: { id: "batch.rename", label: "Rename batch" },
      table: { id: "batch.table", label: "Show table" },
      sheet: { id: "batch.sheet", label: "Show contact sheet" },
      prices: { id: "batch.prices", label: "Price table" },
      export: { id: "batch.export", label: "Export runs as CSV" },
      copy: { id: "batch.copy", label: "Duplicate batch" },
      saveTemplate: { id: "batch.save-recipe", label: "Save as template" },
      delete: { id: "batch.delete", label: "Delete batch" },
      duplicateRuns: { id: "batch.duplicate", label: "Duplicate selected runs" },
      moveRunsUp: { id: "batch.move-up", label: "Move selected runs up" },
      moveRunsDown: { id: "batch.move-down", label: "Move selected runs down" },
      removeRuns: { id: "batch.remove", label: "Remove selected runs" },
      clearSelection: { id: "batch.deselect", label: "Deselect runs" },
    },
  ),
  ...defineCommands(
    { group: "Batch runs", places: ["batch"] },
    {
      combine: { id: "sources.combine", label: "Add combinations" },
      addAxis: { id: "sources.add-axis", label: "Add parameter" },
      seeds: { id: "sources.seeds", label: "4 random seeds" },
      repeat: { id: "sources.repeat", label: "Repeat × 4" },
      addRuns: { id: "sources.add", label: "Add runs to batch" },
      fromCsv: { id: "sources.csv", label: "From CSV" },
      fromImages: { id: "sources.images", label: "From images" },
      fromHistory: { id: "sources.history", label: "From History" },
      templates: { id: "sources.recipes", label: "Templates" },
    },
  ),
  ...defineCommands(
    { group: "Next step", places: ["batch"] },
    {
      addNextStep: { id: "chain.add", label: "Add step" },
      joinAndSave: { id: "chain.join", label: "Join and download" },
    },
  ),
};

/** Commands of the contact sheet, besides `resultCommands`, which every place with results has. */
export const sheetCommands = {
  ...defineCommands(
    { group: "Contact sheet", places: ["batch"] },
    {
      swap: { id: "sheet.swap", label: "Swap rows and columns", keys: "c" },
      selectAll: { id: "sheet.select-all", label: "Select all results" },
      clear: { id: "sheet.clear", label: "Clear selection", keys: "esc" },
      vary: { id: "sheet.vary", label: "Create variations" },
      nextStep: { id: "sheet.next", label: "Next step" },
      join: { id: "sheet.join", label: "Join videos" },
      png: { id: "sheet.png", label: "Export as image" },
      html: { id: "sheet.html", label: "Export as web page" },
    },
  ),
  ...defineCommands(
    { group: "Contact sheet", places: ["batch", "viewer"] },
    { runAgain: { id: "sheet.run-again", label: "Retry", spends: true } },
  ),
};
