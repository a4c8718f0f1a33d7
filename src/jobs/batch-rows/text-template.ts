export interface ExpandedText {
  texts: string[];
  /** Why there is none, in a sentence. */
  problem?: string;
}

/** A piece of an expanded text, and whether it differs between the texts. */
export interface TextPart {
  text: string;
  varies: boolean;
}

/** Every text that a text with `{a|b}` and `{1..4}` makes, in reading order, at most `MOST_ITEMS`. Never throws. */
export function expandText(text: string): ExpandedText {
  return { texts: [text] };
}

/** The same texts in pieces, none where there is a problem. Never throws. */
export function expandParts(text: string): TextPart[][] {
  return [[{ text, varies: false }]];
}
