/** A piece of Markdown that can be read without knowing what follows it. */
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
/** A last line of marks alone may still become anything. It is not shown yet, so that the page does not flicker. */
const ONLY_MARKS = /^ {0,3}(?:`+|~+|#+|[-+*=_>|]+|\d{1,9}[.)]?|\$+|\\\[?|\[)?[ \t]*$/;
const MAYBE_CLOSING = /^[ \t]*(?:`*|~*)[ \t]*$/;
/** Characters. Bounds what one hostile block can cost. */
const LONGEST_SEGMENT = 16_384;
const TEXT: Mode = { kind: "text" };

/**
 * Cuts growing Markdown into segments. Where it cuts depends on whole lines alone, never on how the text was split
 * on its way, so a streamed document ends as the same segments as one given at once.
 */
export class BlockSplitter {
  #mode: Mode = TEXT;
  #text = "";
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
    while (this.#mode.kind !== "code" && this.#line.length > LONGEST_SEGMENT) {
      this.#cutLine(finished);
    }
    if (this.#mode.kind === "text" && this.#isAfterBlank && this.#beginsAnew(this.#line)) this.#close(finished);
    return finished;
  }

  /** What the unfinished rest would be if nothing more came, without a last line that is only marks. */
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

  /** Nothing more comes: the last segments. */
  end(): Segment[] {
    const finished: Segment[] = [];
    if (this.#line !== "") this.#takeLine(this.#line, finished);
    this.#line = "";
    this.#close(finished);
    return finished;
  }

  #cutLine(finished: Segment[]): void {
    const rest = this.#line.slice(LONGEST_SEGMENT);
    this.#takeWhole(this.#line.slice(0, LONGEST_SEGMENT), finished);
    this.#line = rest;
  }

  #takeLine(line: string, finished: Segment[]): void {
    this.#line = line;
    while (this.#mode.kind !== "code" && this.#line.length > LONGEST_SEGMENT) this.#cutLine(finished);
    const rest = this.#line;
    this.#line = "";
    this.#takeWhole(rest, finished);
  }

  #takeWhole(line: string, finished: Segment[]): void {
    if (this.#mode.kind === "code") this.#takeCode(line, this.#mode, finished);
    else if (this.#mode.kind === "math") this.#takeMath(line, this.#mode.closer, finished);
    else this.#takeText(line, finished);
    if (this.#mode.kind !== "code" && this.#text.length > LONGEST_SEGMENT) this.#close(finished);
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
    const rest = after.trimEnd();
    const at = rest.indexOf(closer);
    if (at >= 0 && (at !== rest.length - 2 || rest.slice(0, at).trim() === "")) return false;
    this.#close(finished);
    if (at >= 0) finished.push({ kind: "math", tex: rest.slice(0, at).trim() });
    else {
      this.#mode = { kind: "math", closer };
      this.#text = `${line}\n`;
    }
    return true;
  }

  #takeMath(line: string, closer: string, finished: Segment[]): void {
    if (line.trim() === "") {
      // TeX allows no blank line in a displayed formula, so this was none.
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
    const own = line.slice(indent);
    this.#mode = { kind: "code", fence, code: code === undefined ? own : `${code}\n${own}` };
  }

  #continues(line: string): boolean {
    return INDENTED.test(line) || (this.#isList && (/^[ \t]/.test(line) || LIST_ITEM.test(line)));
  }

  /**
   * Whether a line that has only begun leaves no doubt that it does not continue what stands before the blank line: that is
   * then finished, and not read again with every word of a long paragraph after it.
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
