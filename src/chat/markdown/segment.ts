/** A piece of Markdown that can be read without knowing what follows it. */
export type Segment =
  | { kind: "text"; text: string }
  /** A fenced block at the top level; `info` is what follows the fence, such as `ts`. */
  | { kind: "code"; info: string; code: string }
  /** A displayed formula, without its delimiters. */
  | { kind: "math"; tex: string };
