import type { PaletteName } from "./palettes.ts";

/** The kinds of picture that the sandbox can paint. */
export type SceneKind = "sea" | "mountains" | "forest" | "dunes" | "hills" | "city" | "space" | "portrait" | "folds";

/** Small things that a prompt may ask for by name. */
export type SceneDetail =
  | "aurora"
  | "lighthouse"
  | "boat"
  | "birds"
  | "rain"
  | "snowfall"
  | "moon"
  | "lake"
  | "balloon";

/** The scene whose word comes first in the prompt counts. */
const SCENES: readonly (readonly [SceneKind, RegExp])[] = [
  ["portrait", /\b(portrait|headshot|wom[ae]n|m[ae]n|girl|boy|face|person|queen|king|astronaut|character|selfie)\b/],
  ["space", /\b(space|nebula|telescope|observatory|galax\w*|planets?|cosm\w*|orbit\w*|stellar|universe|comet)\b/],
  [
    "city",
    /\b(city|street|neon|skyline|tokyo|cyber\w*|downtown|alley|rooftops?|market|traffic|skyscrapers?|town|trams?|train|station|bakery|cafe|bicycles?)\b/,
  ],
  [
    "sea",
    /\b(sea|ocean|waves?|beach|coast\w*|harbou?r|boats?|sail\w*|ships?|lighthouses?|islands?|water|bay|shore|herons?|swans?|bridge|fish\w*|whales?)\b/,
  ],
  ["dunes", /\b(desert|dunes?|sand\w*|sahara|canyon|mars|terracotta|salt|camel)\b/],
  ["forest", /\b(forest|woods?|trees?|pines?|moss\w*|jungle|garden|fox|deer|fern|leaf|leaves|owl|wolf)\b/],
  ["mountains", /\b(mountains?|snow\w*|alps?|peaks?|glacier|ice|winter|aurora|valley|lake|cabin|cliffs?|volcano)\b/],
  ["hills", /\b(hills?|meadow|fields?|farm|grass\w*|flowers?|vineyard|countryside|prairie|kite|village|horse)\b/],
  ["folds", /\b(abstract|macro|folded|silk|pattern|marble|texture|waveform|logo|poster)\b/],
];

/** Materials make a picture only where a prompt names nothing else to look at. */
const MATERIALS = /\b(paper|glass|liquid|product|still|cloth|petals?|ceramic|metal)\b/;

/** The first entry that matches anywhere in the prompt counts. */
const PALETTES: readonly (readonly [PaletteName, RegExp])[] = [
  ["aurora", /\b(aurora|northern lights)\b/],
  ["neon", /\b(neon|cyber\w*|synthwave|vaporwave)\b/],
  ["silver", /\b(black and white|monochrome|silver|grayscale|greyscale|noir|charcoal)\b/],
  ["nebula", /\b(nebula|galaxy|cosmic)\b/],
  ["dusk", /\b(dusk|sunset|twilight|evening|purple|violet)\b/],
  ["dawn", /\b(dawn|sunrise|morning|mist\w*|fog\w*|pastel)\b/],
  ["golden", /\b(golden|gold|warm|amber|honey|sunny|sunlight)\b/],
  ["storm", /\b(storm\w*|rain\w*|grey|gray|overcast|moody|thunder)\b/],
  ["night", /\b(night|midnight|blue hour|moon\w*|stars?|dark|lantern)\b/],
  ["autumn", /\b(autumn|fall|orange|harvest|fox)\b/],
  ["snow", /\b(snow\w*|winter|ice|icy|glacier|frost\w*|white)\b/],
  ["ember", /\b(fire|ember|lava|volcano|red|crimson|dragon)\b/],
  ["rose", /\b(rose|pink|magenta|petals?|cherry|blossoms?|silk)\b/],
  ["moss", /\b(moss\w*|forest|jungle|green|fern|garden|spring)\b/],
  ["desert", /\b(desert|dunes?|sand\w*|mars|canyon|terracotta)\b/],
  ["sea", /\b(sea|ocean|teal|turquoise|lagoon|underwater|glass)\b/],
  ["day", /\b(noon|day|blue|clear|summer|bright|kite)\b/],
];

const DETAILS: readonly (readonly [SceneDetail, RegExp])[] = [
  ["aurora", /\b(aurora|northern lights)\b/],
  ["lighthouse", /\blighthouses?\b/],
  ["boat", /\b(boats?|sail\w*|ships?|harbou?r|yacht)\b/],
  ["birds", /\b(birds?|herons?|swans?|gulls?|swallows?|cranes?|flock|crows?)\b/],
  ["rain", /\b(rain\w*|storm\w*|downpour)\b/],
  ["snowfall", /\b(snowfall|snowing|blizzard|snowy|falling snow)\b/],
  ["moon", /\b(moon\w*|night|midnight)\b/],
  ["lake", /\b(lake|reflection\w*|fjord|pond|river)\b/],
  ["balloon", /\b(balloons?|kites?|festival)\b/],
];

/** Palettes that suit a scene when the prompt names no light. */
const FITTING: Record<SceneKind, readonly [PaletteName, ...PaletteName[]]> = {
  sea: ["dusk", "sea", "golden", "dawn", "storm"],
  mountains: ["dawn", "snow", "dusk", "golden", "day"],
  forest: ["moss", "dawn", "autumn", "storm", "golden"],
  dunes: ["desert", "golden", "dusk", "rose"],
  hills: ["day", "golden", "dawn", "autumn", "moss"],
  city: ["neon", "dusk", "night", "golden"],
  space: ["nebula", "aurora", "ember", "night"],
  portrait: ["rose", "golden", "sea", "ember", "dusk"],
  folds: ["rose", "sea", "ember", "golden", "nebula", "dawn"],
};

const ANY_SCENE = ["sea", "mountains", "forest", "dunes", "hills", "folds"] as const;

/** What a prompt asks for: the first scene and light it names, and every small thing. */
interface PromptReading {
  scene: SceneKind;
  palettes: readonly [PaletteName, ...PaletteName[]];
  details: ReadonlySet<SceneDetail>;
}

/** Reads a prompt; where it names no scene, `hash` (of the prompt) chooses, so that seeds stay variations of one. */
export function readPrompt(prompt: string, hash: number): PromptReading {
  const words = prompt.toLowerCase();
  const earliest = SCENES.map(([scene, pattern]) => ({ scene, at: words.search(pattern) }))
    .filter((match) => match.at >= 0)
    .sort((a, b) => a.at - b.at)[0];
  const material = MATERIALS.test(words) ? "folds" : undefined;
  const scene = earliest?.scene ?? material ?? ANY_SCENE[hash % ANY_SCENE.length] ?? "sea";
  const named = PALETTES.find(([, pattern]) => pattern.test(words))?.[0];
  const details = new Set(DETAILS.filter(([, pattern]) => pattern.test(words)).map(([detail]) => detail));
  return { scene, palettes: named ? [named] : FITTING[scene], details };
}
