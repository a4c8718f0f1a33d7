import { type Colour, fromHex, turnHue } from "./colour.ts";

/** The colours of one picture, in linear light. */
export interface Palette {
  /** Sky from the zenith to the horizon. */
  top: Colour;
  middle: Colour;
  low: Colour;
  /** Sun, moon, lamps. */
  light: Colour;
  /** The nearest silhouettes. */
  ground: Colour;
  /** Strong colours for signs, auroras, flowers, folds. */
  accents: readonly [Colour, Colour, Colour];
  /** A dark sky shows stars and a moon. */
  isDark: boolean;
}

/** The colors of each palette in the order of `Palette`: top, middle, low, light, ground, and three accents. */
const HEXES = {
  dusk: ["#1d1f42", "#74406b", "#f58d52", "#ffd7a0", "#150f1d", "#ff7a59", "#b05cff", "#ffc36b"],
  golden: ["#35507f", "#d97f5a", "#ffcb78", "#fff0c4", "#2b1620", "#ff9b3d", "#e8574b", "#ffe29a"],
  dawn: ["#4a689c", "#c99ab6", "#ffd8bd", "#fff2dc", "#262c43", "#f7a6b4", "#7f9de0", "#ffe3c7"],
  day: ["#2672bb", "#76b2de", "#dcebef", "#fffbe8", "#1f3d2c", "#6fae4e", "#e8c75a", "#d9604c"],
  storm: ["#1c272f", "#47606a", "#a3b4b2", "#eaf2ea", "#10171b", "#6fb0ad", "#8793a8", "#d9cfa6"],
  night: ["#050917", "#10244b", "#34537f", "#e9effc", "#03060d", "#6d8fe0", "#f0c879", "#7fd6d2"],
  neon: ["#0a0619", "#2b1054", "#a8256f", "#ff7ad9", "#07040f", "#19dfff", "#ff3d94", "#ffb03d"],
  moss: ["#7fa596", "#b3cbab", "#efebc8", "#fff7d4", "#0c1f17", "#7fb24a", "#d7c65a", "#3f8f6a"],
  desert: ["#3b79aa", "#e3b78c", "#ffe1b0", "#fff3d3", "#6d2c1e", "#e0703d", "#f2a65a", "#a03c34"],
  snow: ["#557db0", "#aac6df", "#f5f0ea", "#fffdf6", "#243850", "#8fb7e0", "#e9d7e4", "#cfe6f2"],
  sea: ["#0d4a70", "#3a9fab", "#cbeede", "#fdfce6", "#07263a", "#2bb5a6", "#f1d38a", "#2f7fd0"],
  aurora: ["#030713", "#0a1d35", "#184a5b", "#dff5ec", "#02050a", "#3dffa2", "#8c5bff", "#39c9ff"],
  autumn: ["#748ba3", "#d9a775", "#ffe3ab", "#fff1cf", "#34140e", "#e0642b", "#f0b03d", "#b53a2a"],
  nebula: ["#05040f", "#1a1240", "#4b2a78", "#ffe6f2", "#030208", "#ff6aa8", "#5b8cff", "#ffc88a"],
  rose: ["#4b3a78", "#d28cc0", "#ffd3d0", "#fff1ee", "#2a1533", "#f783ac", "#9a7bff", "#ffd08a"],
  ember: ["#14070c", "#5e1420", "#f0583a", "#ffd08a", "#0d0406", "#ff5a36", "#ffb057", "#b01e3c"],
  silver: ["#23262b", "#6e747c", "#d8dadb", "#ffffff", "#0e1013", "#a7adb5", "#e6e3dc", "#5c636c"],
} satisfies Record<string, readonly string[]>;

export type PaletteName = keyof typeof HEXES;

const DARK: ReadonlySet<PaletteName> = new Set(["dusk", "night", "neon", "aurora", "nebula", "ember"]);

/** A palette by name, its hues turned by `turn` radians so that two seeds differ in tone too. */
export function readPalette(name: PaletteName, turn: number): Palette {
  const colour = (index: number): Colour => turnHue(fromHex(HEXES[name][index] ?? "#000000"), turn);
  return {
    top: colour(0),
    middle: colour(1),
    low: colour(2),
    light: colour(3),
    ground: colour(4),
    accents: [colour(5), colour(6), colour(7)],
    isDark: DARK.has(name),
  };
}
