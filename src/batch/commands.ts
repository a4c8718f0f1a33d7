import { defineCommands } from "#ui/commands.ts";

export const batchCommands = {
  ...defineCommands(
    { group: "Batch", places: ["batch"] },
    {
      run: { id: "batch.run", label: "Run the batch", keys: "mod+enter", spends: true },
      pause: { id: "batch.pause", label: "Pause" },
      resume: { id: "batch.resume", label: "Resume", spends: true },
      cancel: { id: "batch.cancel", label: "Cancel remaining" },
      rules: { id: "batch.rules", label: "Show price and rules" },
      rename: { id: "batch.rename", label: "Rename batch" },
      table: { id: "batch.table", label: "Show the table" },
      sheet: { id: "batch.sheet", label: "Show the contact sheet" },
      prices: { id: "batch.prices", label: "Price table" },
      export: { id: "batch.export", label: "Export CSV" },
      copy: { id: "batch.copy", label: "Duplicate batch" },
      saveRecipe: { id: "batch.save-recipe", label: "Save as recipe" },
      delete: { id: "batch.delete", label: "Delete batch" },
      duplicateRuns: { id: "batch.duplicate", label: "Duplicate the selected runs" },
      moveRunsUp: { id: "batch.move-up", label: "Move the selected runs up" },
      moveRunsDown: { id: "batch.move-down", label: "Move the selected runs down" },
      removeRuns: { id: "batch.remove", label: "Remove the selected runs" },
      clearSelection: { id: "batch.deselect", label: "Clear selection" },
    },
  ),
  ...defineCommands(
    { group: "Runs of a batch", places: ["batch"] },
    {
      combine: { id: "sources.combine", label: "Add combinations" },
      addAxis: { id: "sources.add-axis", label: "Add axis" },
      seeds: { id: "sources.seeds", label: "4 random seeds" },
      repeat: { id: "sources.repeat", label: "Repeat × 4" },
      addRuns: { id: "sources.add", label: "Add the runs to the batch" },
      fromCsv: { id: "sources.csv", label: "From CSV" },
      fromImages: { id: "sources.images", label: "From images" },
      fromHistory: { id: "sources.history", label: "From History" },
      recipes: { id: "sources.recipes", label: "Recipes" },
    },
  ),
  ...defineCommands(
    { group: "Next step", places: ["batch"] },
    {
      addNextStep: { id: "chain.add", label: "Add to batch" },
      joinAndSave: { id: "chain.join", label: "Join and save" },
    },
  ),
};

/** Commands of the contact sheet, besides `resultCommands`, which every place with results has. */
export const sheetCommands = {
  ...defineCommands(
    { group: "Contact sheet", places: ["batch"] },
    {
      swap: { id: "sheet.swap", label: "Swap columns and rows", keys: "c" },
      selectAll: { id: "sheet.select-all", label: "Select all results" },
      clear: { id: "sheet.clear", label: "Clear the selection", keys: "esc" },
      vary: { id: "sheet.vary", label: "Vary these" },
      nextStep: { id: "sheet.next", label: "Next step" },
      join: { id: "sheet.join", label: "Join clips" },
      png: { id: "sheet.png", label: "Export as image" },
      html: { id: "sheet.html", label: "Export as web page" },
    },
  ),
  ...defineCommands(
    { group: "Contact sheet", places: ["batch", "viewer"] },
    { runAgain: { id: "sheet.run-again", label: "Run again", spends: true } },
  ),
};
