import type { Row } from "./media-keys.ts";

/** What can be done with the table of a batch and with its runs. */
export const BATCH_ROWS: readonly Row[] = [
  ["batch.run", "Run the batch", "mod+enter"],
  ["batch.pause", "Pause"],
  ["batch.resume", "Resume"],
  ["batch.cancel", "Cancel remaining"],
  ["batch.rules", "Show price and rules"],
  ["batch.rename", "Rename batch"],
  ["batch.table", "Show the table"],
  ["batch.sheet", "Show the contact sheet"],
  ["batch.prices", "Price table"],
  ["batch.export", "Export CSV"],
  ["batch.copy", "Duplicate batch"],
  ["batch.save-recipe", "Save as recipe"],
  ["batch.delete", "Delete batch"],
  ["batch.duplicate", "Duplicate the selected runs"],
  ["batch.move-up", "Move the selected runs up"],
  ["batch.move-down", "Move the selected runs down"],
  ["batch.remove", "Remove the selected runs"],
  ["batch.deselect", "Clear selection"],
];

/** Where the runs of a batch come from. */
export const SOURCE_ROWS: readonly Row[] = [
  ["sources.combine", "Add combinations"],
  ["sources.add-axis", "Add axis"],
  ["sources.seeds", "4 random seeds"],
  ["sources.repeat", "Repeat × 4"],
  ["sources.add", "Add the runs to the batch"],
  ["sources.csv", "From CSV"],
  ["sources.images", "From images"],
  ["sources.history", "From History"],
  ["sources.recipes", "Recipes"],
];

/** What can be done with the results of a batch. */
export const SHEET_ROWS: readonly Row[] = [
  ["sheet.star", "Star", "s"],
  ["sheet.reject", "Reject", "x"],
  ["sheet.swap", "Swap columns and rows"],
  ["sheet.select-all", "Select all results"],
  ["sheet.clear", "Clear the selection", "esc"],
  ["sheet.compare", "Compare"],
  ["sheet.vary", "Vary these"],
  ["sheet.next", "Next step"],
  ["sheet.join", "Join clips"],
  ["sheet.zip", "Download zip"],
  ["sheet.png", "Export as image"],
  ["sheet.html", "Export as web page"],
  ["sheet.zoom-in", "Zoom in", "plus"],
  ["sheet.zoom-out", "Zoom out", "-"],
  ["sheet.fit", "Fit to window", "0"],
  ["sheet.previous", "Previous", "arrowleft"],
  ["sheet.next-result", "Next", "arrowright"],
  ["sheet.first", "First", "home"],
  ["sheet.last", "Last", "end"],
  ["sheet.job", "Open job"],
  ["sheet.run-again", "Run again"],
];

/** What can be done with chosen results: the next step, clips that are joined. */
export const CHAIN_ROWS: readonly Row[] = [
  ["chain.add", "Add to batch"],
  ["chain.join", "Join and save"],
];

/** What can be done with a price table. */
export const PRICE_ROWS: readonly Row[] = [
  ["prices.model", "Choose a model", "mod+m"],
  ["prices.csv", "Copy CSV", "c"],
  ["prices.picture", "Save picture", "d"],
  ["prices.swap", "Swap rows and columns", "s"],
  ["prices.refresh", "Refresh prices", "r"],
  ["prices.compare", "Compare all models"],
  ["prices.batch", "Add to a new batch", "b"],
  ["prices.use", "Use in Create", "u"],
];
