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
 * can have the same ones. `test/app/command-catalogue.test.tsx` compares it with what the screens offer.
 */
export const CATALOGUE: readonly CatalogueEntry[] = [
  ...section(
    "Everywhere",
    [],
    [
      ["palette", "Commands", "mod+k"],
      ["go.create", "Go to Create", "g c"],
      ["go.history", "Go to History", "g h"],
      ["go.playground", "Go to Playground", "g p"],
      ["go.spend", "Go to Spend", "g s"],
      ["go.settings", "Go to Settings", "g ,"],
      ["go.add-connection", "Add a connection"],
      ["disconnect", "Disconnect"],
      ["help", "Keyboard shortcuts", "?"],
    ],
  ),
  ...section(
    "Result",
    ["create", "job"],
    [
      ["result.download", "Download, or download all", "d"],
      ["result.compare", "Compare with another run", "m"],
      ["result.edit-again", "Edit and run again", "r"],
      ["result.run-again", "Same settings, new seed"],
      ["result.other-model", "Choose another model"],
      ["result.settings", "All settings"],
      ["result.large", "Show large"],
      ["result.all", "Show all results"],
      ["result.download-file", "Download this file"],
      ["result.star", "Star", "."],
      ["result.input", "Use as input"],
      ["result.animate", "Animate"],
    ],
  ),
];

const PLACE_OF = new Map(CATALOGUE.map(({ id }, place) => [id, place]));

/** Where a command stands in the catalogue; the last place for one that is in none, such as one for each connection. */
export function placeInCatalogue(id: string): number {
  return PLACE_OF.get(id) ?? CATALOGUE.length;
}

/** The commands that can act in a place, in their order. */
export function catalogueOf(place: Place | undefined): CatalogueEntry[] {
  return CATALOGUE.filter(({ places }) => places.length === 0 || (place !== undefined && places.includes(place)));
}

/** The command that would answer to the same keys in some place, or begins or continues them ("G" and "G then C"). */
export function holderOf(
  keys: string,
  { id, places }: Pick<CatalogueEntry, "id" | "places">,
  keysOf: (entry: CatalogueEntry) => string,
): CatalogueEntry | undefined {
  const meets = (other: CatalogueEntry) =>
    places.length === 0 || other.places.length === 0 || other.places.some((place) => places.includes(place));
  return CATALOGUE.find((other) => {
    const theirs = keysOf(other);
    if (other.id === id || theirs === "" || !meets(other)) return false;
    return theirs === keys || theirs.startsWith(`${keys} `) || keys.startsWith(`${theirs} `);
  });
}
