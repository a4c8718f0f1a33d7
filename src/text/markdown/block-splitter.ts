/** A piece of Markdown whose meaning does not depend on what follows it. */
export type Segment =
  | { kind: "text"; text: string }
  /** A fenced block at the top level; `info` is what follows the fence, such as `ts`. */
  | { kind: "code"; info: string; code: string }
  /** A displayed formula, without its delimiters. */
  | { kind: "math"; tex: string };

interface Fence {
  mark: string;
  length: number;
  indent: number;
  info: string;
}

type Mode = { kind: "text" } | { kind: "code"; fence: Fence; code?: string } | { kind: "math"; closer: string };

const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const MATH = /^ {0,3}(\$\$|\\\[)(.*)$/;
const LIST_ITEM = /^ {0,3}(?:[*+-]|\d{1,9}[.)])(?:[ \t]|$)/;
const MAYBE_NUMBER = /^\d{1,9}$/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
/** A last line of marks alone may still become any block. It is not shown yet, so that the page does not flicker. */
const ONLY_MARKS = /^ {0,3}(?:`+|~+|#+|[-+*=_>|]+|\d{1,9}[.)]?|\$+|\\\[?|\[)?[ \t]*$/;
const MAYBE_CLOSING = /^[ \t]*(?:`*|~*)[ \t]*$/;
/** Characters. Bounds what one hostile block can cost. Code is exempt: it is never read again. */
const MAX_SEGMENT_LENGTH = 16_384;
const TEXT: Mode = { kind: "text" };

/**
 * Cuts growing Markdown into segments. Only complete lines decide where it cuts, not the pieces in which the text
 * arrives, so a streamed document ends as the same segments as one given at once.
 */
export class BlockSplitter {
  #mode: Mode = TEXT;
  /** The complete lines of the open segment, except those of code. */
  #text = "";
  /** The last line, whose end has not come. */
  #line = "";
  #isList = false;
  #isAfterBlank = false;

  /** Takes more text (line ends are `\n`) and returns the segments it finished. */
  push(text: string): Segment[] {
    const finished: Segment[] = [];
    const all = this.#line + text;
    let from = 0;
    for (let end = all.indexOf("\n"); end >= 0; end = all.indexOf("\n", from)) {
      this.#takeLine(all.slice(from, end), finished);
      from = end + 1;
    }
    this.#line = from === 0 ? all : all.slice(from);
    while (this.#mode.kind !== "code" && this.#line.length > MAX_SEGMENT_LENGTH) {
      this.#cutLine(finished);
    }
    if (this.#mode.kind === "text" && this.#isAfterBlank && this.#beginsAnew(this.#line)) this.#close(finished);
    return finished;
  }

  /** The unfinished segments as if the text ended here, without a last line that is only marks. */
  peek(): Segment[] {
    const copy = new BlockSplitter();
    copy.#mode = this.#mode;
    copy.#text = this.#text;
    copy.#isList = this.#isList;
    copy.#isAfterBlank = this.#isAfterBlank;
    const unclear = this.#mode.kind === "code" ? MAYBE_CLOSING : ONLY_MARKS;
    copy.#line = unclear.test(this.#line) ? "" : this.#line;
    return copy.end();
  }

  /** Ends the text and returns the last segments. */
  end(): Segment[] {
    const finished: Segment[] = [];
    if (this.#line !== "") this.#takeLine(this.#line, finished);
    this.#line = "";
    this.#close(finished);
    return finished;
  }

  #cutLine(finished: Segment[]): void {
    const afterCut = this.#line.slice(MAX_SEGMENT_LENGTH);
    this.#takePart(this.#line.slice(0, MAX_SEGMENT_LENGTH), finished);
    this.#line = afterCut;
  }

  #takeLine(line: string, finished: Segment[]): void {
    this.#line = line;
    while (this.#mode.kind !== "code" && this.#line.length > MAX_SEGMENT_LENGTH) this.#cutLine(finished);
    const lastPart = this.#line;
    this.#line = "";
    this.#takePart(lastPart, finished);
  }

  /** Takes a complete line, or a part of one that was too long. */
  #takePart(line: string, finished: Segment[]): void {
    if (this.#mode.kind === "code") this.#takeCode(line, this.#mode, finished);
    else if (this.#mode.kind === "math") this.#takeMath(line, this.#mode.closer, finished);
    else this.#takeText(line, finished);
    if (this.#mode.kind !== "code" && this.#text.length > MAX_SEGMENT_LENGTH) this.#close(finished);
  }

  #takeText(line: string, finished: Segment[]): void {
    if (line.trim() === "") {
      this.#isAfterBlank = true;
      if (this.#text !== "") this.#text += "\n";
      return;
    }
    const isFree = !this.#isList || !/^[ \t]/.test(line);
    if (isFree && this.#takeOpening(line, finished)) return;
    if (this.#isAfterBlank && !this.#continues(line)) this.#close(finished);
    this.#isAfterBlank = false;
    this.#isList ||= LIST_ITEM.test(line);
    this.#text += `${line}\n`;
  }

  /** A line that begins a block of its own wherever it stands: a fence, a heading, a displayed formula. */
  #takeOpening(line: string, finished: Segment[]): boolean {
    const fence = FENCE.exec(line);
    if (fence) {
      const [, indent = "", marks = "", info = ""] = fence;
      this.#close(finished);
      const opened = { mark: marks.charAt(0), length: marks.length, indent: indent.length, info: info.trim() };
      this.#mode = { kind: "code", fence: opened };
      return true;
    }
    if (HEADING.test(line)) {
      this.#close(finished);
      finished.push({ kind: "text", text: `${line}\n` });
      return true;
    }
    return this.#takeFormula(line, finished);
  }

  #takeFormula(line: string, finished: Segment[]): boolean {
    const [, opener, after = ""] = MATH.exec(line) ?? [];
    if (opener === undefined) return false;
    const closer = opener === "$$" ? "$$" : "\\]";
    const body = after.trimEnd();
    const closedAt = body.indexOf(closer);
    // No displayed formula: one that is empty, or that has text after it in the same line.
    if (closedAt >= 0 && (closedAt !== body.length - 2 || body.slice(0, closedAt).trim() === "")) return false;
    this.#close(finished);
    if (closedAt >= 0) finished.push({ kind: "math", tex: body.slice(0, closedAt).trim() });
    else {
      this.#mode = { kind: "math", closer };
      this.#text = `${line}\n`;
    }
    return true;
  }

  #takeMath(line: string, closer: string, finished: Segment[]): void {
    if (line.trim() === "") {
      // TeX allows no blank line in a displayed formula, so the lines before were text.
      this.#close(finished);
      return;
    }
    this.#text += `${line}\n`;
    const body = this.#text.trim();
    if (!body.endsWith(closer)) return;
    finished.push({ kind: "math", tex: body.slice(2, -2).trim() });
    this.#text = "";
    this.#close(finished);
  }

  #takeCode(line: string, { fence, code }: { fence: Fence; code?: string }, finished: Segment[]): void {
    const marks = line.trim();
    const isClosing = marks.length >= fence.length && marks === fence.mark.repeat(marks.length) && !INDENTED.test(line);
    if (isClosing) {
      this.#close(finished);
      return;
    }
    let indent = 0;
    while (indent < fence.indent && line[indent] === " ") indent++;
    const codeLine = line.slice(indent);
    this.#mode = { kind: "code", fence, code: code === undefined ? codeLine : `${code}\n${codeLine}` };
  }

  #continues(line: string): boolean {
    return INDENTED.test(line) || (this.#isList && (/^[ \t]/.test(line) || LIST_ITEM.test(line)));
  }

  /**
   * Whether the beginning of a line after a blank line shows that it starts a new block. The block before is then
   * finished, and not read again with every word of a long paragraph after it.
   */
  #beginsAnew(line: string): boolean {
    return /^\S/.test(line) && !(this.#isList && (LIST_ITEM.test(line) || MAYBE_NUMBER.test(line)));
  }

  #close(finished: Segment[]): void {
    if (this.#mode.kind === "code") {
      finished.push({ kind: "code", info: this.#mode.fence.info, code: this.#mode.code ?? "" });
    } else if (this.#text.trim() !== "") finished.push({ kind: "text", text: this.#text });
    this.#mode = TEXT;
    this.#text = "";
    this.#isList = false;
    this.#isAfterBlank = false;
  }
}
