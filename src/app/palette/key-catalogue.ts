/** The places of the studio that have commands of their own. */
export const PLACES = {
  create: "Create",
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

type Row = [id: string, label: string, keys?: string];

const section = (group: string, places: readonly Place[], rows: readonly Row[]): CatalogueEntry[] =>
  rows.map(([id, label, keys = ""]) => ({ id, label, keys, group, places }));

/**
 * Every command of the studio, also of screens that are not open: the list of all keys, and what says whether two commands
 * can have the same ones. `test/app/` compares it with what the screens offer (`command-catalogue`, `playground-commands`).
 */
export const CATALOGUE: readonly CatalogueEntry[] = [
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
      ["history.previous-page", "Previous page"],
      ["history.next-page", "Next page"],
      ["history.read-all", "Load all jobs"],
      ["history.stop-reading", "Stop loading"],
      ["history.show-all", "Show as one list"],
      ["history.service-list", "Back to pages"],
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
      ["selection.compare", "Compare"],
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
  ...section(
    "Viewer",
    ["viewer"],
    [
      ["viewer.previous", "Previous", "arrowleft"],
      ["viewer.next", "Next", "arrowright"],
      ["viewer.first", "First", "home"],
      ["viewer.last", "Last", "end"],
      ["viewer.details", "Details", "i"],
      ["viewer.reuse-all", "Edit and run again", "a"],
      ["viewer.remix", "Same settings, new seed", "r"],
      ["viewer.reuse-prompt", "Reuse only the prompt", "p"],
      ["viewer.reuse-seed", "Reuse only the seed", "s"],
      ["viewer.compare", "Compare", "m"],
      ["viewer.as-input", "Use as input", "w"],
      ["viewer.star", "Star", "."],
      ["viewer.download", "Download", "d"],
      ["viewer.full-screen", "Full screen", "f"],
      ["viewer.zoom-in", "Zoom in", "plus"],
      ["viewer.zoom-out", "Zoom out", "-"],
      ["viewer.fit", "Fit to window", "0"],
      ["viewer.frame-back", "One frame back", "["],
      ["viewer.frame-on", "One frame on", "]"],
      ["viewer.play", "Play or pause", "space"],
    ],
  ),
  ...section(
    "Compare",
    ["compare"],
    [
      ["compare.swap", "Swap", "c"],
      ["compare.way", "Next comparison mode", "m"],
      ["compare.fit", "Fit to window", "0"],
      ["compare.play", "Play or pause", "space"],
      ["compare.frame-back", "One frame back", "["],
      ["compare.frame-on", "One frame on", "]"],
    ],
  ),
  ...section(
    "Message",
    ["playground"],
    [
      ["playground.write", "Write a message", "/"],
      ["playground.send", "Send"],
      ["playground.stop", "Stop the answers", "esc"],
      ["playground.send-queued", "Send the queued messages"],
      ["playground.attach", "Attach image from this device"],
      ["playground.attach-history", "Attach image from History"],
      ["playground.parameters", "System and parameters"],
    ],
  ),
  ...section(
    "Message",
    ["playground"],
    [
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
              ]
            : [act("exclude", "exclude from later messages"), act("include", "include in later messages")]),
          act("prompt", "open in Create as a prompt"),
          act("cache", "cache the prompt up to here"),
          act("previous", "previous version"),
          act("next", "next version"),
          act("delete", "delete"),
        ];
      }),
    ],
  ),
  ...section(
    "Conversation",
    ["playground"],
    [
      ["playground.list", "Conversations"],
      ["playground.new", "New conversation", "n"],
      ["playground.temporary", "New temporary chat"],
      ["playground.model", "Choose model", "mod+m"],
      ["playground.check-key", "Check the key"],
      ["playground.open-in-create", "Open the model in Create"],
      ["playground.earlier", "Show earlier messages"],
      ["playground.latest", "Jump to latest"],
      ["playground.cache-system", "Cache the system prompt"],
      ["playground.column-settings", "Column settings"],
      ["playground.remove-column", "Remove column"],
      ["playground.add-column", "Add column"],
      ["playground.metrics", "Compare metrics"],
      ["playground.log", "Request log"],
      ["playground.code", "Code"],
      ["playground.export-json", "Export as JSON"],
      ["playground.export-markdown", "Export as Markdown"],
    ],
  ),
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
const ONE_FOR_EACH = /^(queue\.[a-z]+\.|column:|switch:|create\.begin-|message:)/;

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
