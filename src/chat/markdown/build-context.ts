import type { MathWriter } from "./math-writer.ts";

/** What building a block needs to know beyond its own text. */
export interface BuildContext {
  /** Depths of the headings this block stands under: a heading's level never skips one. */
  headings: number[];
  /** Addresses of pictures the reader asked for. */
  shownImages: ReadonlySet<string>;
  math: MathWriter;
}
