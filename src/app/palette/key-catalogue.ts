import { BATCH_ROWS, CHAIN_ROWS, PRICE_ROWS, SHEET_ROWS, SOURCE_ROWS } from "./batch-keys.ts";
import { COMPARE_ROWS, playerRows, type Row, VIEWER_ROWS } from "./media-keys.ts";
import { COLUMN_ROWS, COMPARISON_ROWS, CONVERSATION_ROWS, MESSAGE_ROWS } from "./playground-keys.ts";

/** The places of the studio that have commands of their own. */
export const PLACES = {
  create: "Create",
  batch: "Batch",
  prices: "Price table",
  job: "Job",
  history: "History",
  viewer: "Viewer",
  compare: "Compare",
  playground: "Playground",
  spend: "Spend",
  settings: "Settings",
} as const;
export type Place = keyof typeof PLACES;

export interface CatalogueEntry {
  id: string;
  /** Its name in the list of keys: short, without the model's name or a price. */
  label: string;
  /** The keys that it comes with; empty for none. */
  keys: string;
  group: string;
  /** Where it can act; everywhere where none is named. */
  places: readonly Place[];
}

const section = (group: string, places: readonly Place[], rows: readonly Row[]): CatalogueEntry[] =>
  rows.map(([id, label, keys = ""]) => ({ id, label, keys, group, places }));

/**
 * Every command of the studio, also of screens that are not open: the list of all keys, and what says whether two commands
 * can have the same ones. `test/app/` compares it with what the screens offer (`command-palette`).
 */
export const CATALOGUE: readonly CatalogueEntry[] = [
  ...section("Batch", ["batch"], BATCH_ROWS),
  ...section("Runs of a batch", ["batch"], SOURCE_ROWS),
  ...section("Contact sheet", ["batch"], SHEET_ROWS),
  ...section("Next step", ["batch"], CHAIN_ROWS),
  ...section("Price table", ["prices"], PRICE_ROWS),
  ...section(
    "Run",
    ["create"],
    [
      ["create.run", "Run", "mod+enter"],
      ["create.cancel-run", "Cancel the waiting run"],
      ["create.models", "Choose a model", "mod+m"],
      ["create.prompt", "Go to prompt", "/"],
      ["create.improve", "Improve this prompt"],
      ["create.presets", "Presets", "p"],
      ["create.batch", "Run a batch"],
      ["create.project", "Choose a project"],
      ["create.rehost", "Re-host an input"],
    ],
  ),
  ...section(
    "View",
    ["create"],
    [
      ["create.view-form", "View as form"],
      ["create.view-json", "View as JSON"],
      ["create.view-code", "View as code"],
    ],
  ),
  ...section(
    "Result",
    ["create", "job"],
    [
      ["result.download", "Download", "d"],
      ["result.download-all", "Download all"],
      ["result.download-file", "Download this file"],
      ["result.star", "Star", "."],
      ["result.run-again", "Run again"],
      ["result.edit-again", "Edit and run again", "r"],
      ["result.other-model", "Choose another model"],
      ["result.compare", "Compare with another run", "m"],
      ["result.input", "Use as input"],
      ["result.animate", "Animate"],
      ["result.large", "Show one result large"],
      ["result.all", "Show all results"],
      ["result.settings", "All settings"],
      ["result.log", "Request log"],
      ["result.open", "Open job"],
      ["result.copy-id", "Copy job ID"],
      ["result.import", "Import job"],
      ["result.delete", "Delete files"],
      ["notify-when-done", "Notify me when done"],
    ],
  ),
  ...section(
    "Find",
    ["history"],
    [
      ["history.search", "Search jobs", "/"],
      ["history.search-help", "Search help"],
      ["history.clear-filters", "Clear filters"],
      ["history.grid", "View as grid"],
      ["history.table", "View as table"],
      ["history.refresh", "Refresh jobs"],
      ["history.search-older", "Search older jobs"],
      ["history.expiring", "Show files that expire this week"],
      ["history.archive-expiring", "Archive files that expire this week"],
      ["history.download-expiring", "Download files that expire this week"],
      ["history.zip", "Download all as a zip"],
      ["history.folder", "Save all in a folder"],
    ],
  ),
  ...section(
    "Selected jobs",
    ["history"],
    [
      ["history.select-all", "Select all jobs in the list"],
      ["selection.clear", "Clear the selection"],
      ["selection.star", "Star"],
      ["selection.collect", "Add to a collection"],
      ["selection.batch", "Add to batch"],
      ["selection.compare", "Compare"],
      ["selection.compare-models", "Compare models"],
      ["selection.reuse-all", "Edit and run again"],
      ["selection.remix", "Same settings, new seed"],
      ["selection.reuse-prompt", "Reuse only the prompt"],
      ["selection.reuse-seed", "Reuse only the seed"],
      ["selection.as-input", "Use as input"],
      ["selection.zip", "Download zip"],
      ["selection.folder", "Save in a folder"],
      ["selection.delete", "Delete files"],
    ],
  ),
  ...section("Viewer", ["viewer"], [...VIEWER_ROWS, ...playerRows("viewer")]),
  ...section("Compare", ["compare"], [...COMPARE_ROWS, ...playerRows("compare")]),
  ...section("Result", ["create", "job"], playerRows("result")),
  ...section("Message", ["playground"], MESSAGE_ROWS),
  ...section("Conversation", ["playground"], CONVERSATION_ROWS),
  ...section("Column", ["playground"], COLUMN_ROWS),
  ...section("Comparison", ["playground"], COMPARISON_ROWS),
  ...section(
    "Document",
    ["playground"],
    [
      ["document.continue", "Continue the document", "mod+enter"],
      ["document.stop", "Stop", "esc"],
      ["document.take-all", "Accept all"],
      ["document.take-word", "Accept a word"],
      ["document.dismiss", "Dismiss the continuation"],
      ["document.undo", "Undo"],
    ],
  ),
  ...section(
    "Spend",
    ["spend"],
    [
      ["spend.limits", "Change the limits"],
      ["spend.export", "Export CSV"],
      ["spend.more", "Show more of the ledger"],
      ["spend.table", "Show the chart as table"],
      ["spend.unknown", "Show unknown prices"],
      ["spend.project", "New project"],
      ["spend.import", "Import the last jobs"],
      ["spend.import-more", "Continue the import"],
      ["spend.import-one", "Import a job by its ID"],
    ],
  ),
  ...section(
    "Settings",
    ["settings"],
    [
      ["settings.export", "Export local data"],
      ["settings.import", "Import local data"],
      ["settings.delete-data", "Delete local data of this key"],
      ["settings.requests", "Show requests"],
      ["settings.diagnostics", "Save diagnostics"],
    ],
  ),
  ...section(
    "Everywhere",
    [],
    [
      ["palette", "Commands", "mod+k"],
      ["help", "Keyboard shortcuts", "?"],
      ["go.create", "Go to Create", "g c"],
      ["go.batch", "Go to Batch", "g b"],
      ["go.history", "Go to History", "g h"],
      ["go.playground", "Go to Playground", "g p"],
      ["go.spend", "Go to Spend", "g s"],
      ["go.settings", "Go to Settings", "g ,"],
      ["go.add-connection", "Add a connection"],
      ["queue.open", "Open queue"],
      ["rail.fold", "Collapse the sidebar", "mod+b"],
      ["disconnect", "Disconnect"],
    ],
  ),
];

/**
 * Commands of which there is one for each batch, upload, column or connection. The palette lists them; keys they have none,
 * because the next one is another.
 */
const ONE_FOR_EACH = /^(queue\.[a-z]+\.|column:|switch:|create\.begin-|message:|conversation:)/;

/** Whether a command is known to the list of all keys, or is one of those that cannot have any. */
export function isInCatalogue(id: string): boolean {
  return PLACE_OF.has(id) || ONE_FOR_EACH.test(id);
}

const PLACE_OF = new Map(CATALOGUE.map(({ id }, place) => [id, place]));

/** Where a command stands in the catalogue; the last place for one that is in none, such as one for each connection. */
export function placeInCatalogue(id: string): number {
  return PLACE_OF.get(id) ?? CATALOGUE.length;
}

/** The commands that can act in a place, in their order. */
export function catalogueOf(place: Place | undefined): CatalogueEntry[] {
  return CATALOGUE.filter(({ places }) => places.length === 0 || (place !== undefined && places.includes(place)));
}
