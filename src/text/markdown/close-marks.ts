const BOLD = /(?<!\\)\*\*/g;
const CODE = /`[^`]*`/g;
/** One `*` at the end of the text: the first half of a `**` whose second half has not come. */
const HALF_CLOSING = /(?<=[^*\s])\*(?=\n?$)/;
const HALF_OPENING = /(?<=[\s(])\*(?=\n?$)/;

/**
 * Closes the bold or code that the last line of an unfinished text leaves open, so that its marks do not show while the
 * rest is coming. A mark with nothing after it is left out. Finished text does not go through this function.
 */
export function closeMarks(text: string): string {
  const from = text.lastIndexOf("\n", text.length - 2) + 1;
  const line = text.slice(from);
  // Marks within code are no marks. The replacement has the same length, so that indexes stay valid.
  const plain = line.replace(CODE, (code) => "x".repeat(code.length));
  const tick = plain.indexOf("`");
  if (tick >= 0) return text.slice(0, from) + closeAt(line, tick, "`");
  const marks = [...plain.matchAll(BOLD)];
  const last = marks.at(-1);
  const isOpen = last !== undefined && marks.length % 2 === 1;
  const half = (isOpen ? HALF_CLOSING : HALF_OPENING).exec(plain);
  const whole = half ? line.slice(0, half.index) + line.slice(half.index + 1) : line;
  return text.slice(0, from) + (isOpen ? closeAt(whole, last.index, "**") : whole);
}

function closeAt(line: string, at: number, mark: string): string {
  const end = line.trimEnd().length;
  if (end <= at + mark.length) return line.slice(0, at) + line.slice(at + mark.length);
  return line.slice(0, end) + mark + line.slice(end);
}
