import { closeMarks } from "./close-marks.ts";
import { updateChildren, updateNode } from "./update-node.ts";

/** Letters that mean nothing but themselves, whatever follows them. */
const LETTER = String.raw`[\p{L}\p{N} ,.;?'"()\/%+=#–—‘’“”…\-]|[:!](?= )`;
const CODE = "`[^`\\n]+`(?!`)";
const LINK = String.raw`\[(?:${LETTER})+\]\(https?:\/\/[^\s()<>\\*&${"`"}]+\)`;
const BOLD = String.raw`\*\*(?! )(?:${LETTER}|${CODE}|${LINK})+(?<! )\*\*`;
const ITALIC = String.raw`\*(?! )(?:${LETTER})+(?<! )\*(?!\*)`;

const ALL_LETTERS = new RegExp(`^(?:${LETTER})+$`, "u");
const ENDS_IN_LETTERS = new RegExp(String.raw`(?:^|\s)(?:${LETTER})*$`, "u");
/** Letters and whole marks. */
const SETTLED = new RegExp(`^(?:${LETTER}|${CODE}|${LINK}|${BOLD}|${ITALIC})+$`, "u");
const WHOLE_CODE_OR_LINK = new RegExp(`${CODE}|${LINK}`, "gu");
/** What may open something that only ends later. */
const MARK = /[*_`~$<[\]\\&|@]/;
/** Marks that the line alone does not decide. It decides bold, italic, code and links. */
const MARK_BEYOND_LINE = /[_~$<\\&|@\n]|!\[/;
const HAS_LETTER = /\p{L}/u;

/** Blocks that hold a line of text. */
const HOLDERS = new Set(["P", "LI", "TD", "H3", "H4", "H5", "H6"]);
const MARKED = new Set(["STRONG", "EM", "CODE", "A"]);

/**
 * The last line of an open block as it stands on the page. Its beginning is settled: nothing that follows can change what
 * it means. So only what comes after it is read again, not the whole block.
 */
export class OpenText {
  readonly #holder: HTMLElement;
  #shown: string;
  /** Characters of the block's text. */
  #settled: number;
  /** The last node of what is settled, and its text if it is one. */
  #last: ChildNode;
  #lastText = "";

  private constructor(holder: HTMLElement, last: ChildNode, text: string) {
    this.#holder = holder;
    this.#shown = text;
    this.#settled = text.length;
    this.#last = last;
    this.#lastText = last instanceof Text ? last.data : "";
  }

  /** The open line of `block`, which shows `text`; undefined where its end is not settled, such as within a link. */
  static of(block: HTMLElement | undefined, text: string): OpenText | undefined {
    const holder = lastHolder(block);
    const last = holder?.lastChild;
    if (!last || !isSettled(holder) || !endsAs(last, text)) return undefined;
    return new OpenText(holder, last, text);
  }

  /**
   * Shows what the block's text has become. Returns false, and shows nothing, if it may be more than words and marks of
   * the same line: then the block has to be read again. `read` makes the nodes of a part of a line.
   */
  grow(text: string, read: (part: string) => (Node | string)[]): boolean {
    if (text.length <= this.#shown.length) return text === this.#shown;
    const part = text.slice(this.#settled);
    if (this.#shown.length === this.#settled && ALL_LETTERS.test(part)) this.#show([part]);
    else {
      const closed = closeMarks(text).slice(this.#settled);
      if (MARK_BEYOND_LINE.test(closed.replace(WHOLE_CODE_OR_LINK, ""))) return false;
      this.#show(read(closed));
      this.#shown = text;
      if (closed !== part || !SETTLED.test(part)) return true;
    }
    this.#shown = text;
    this.#settled = text.length;
    this.#last = this.#holder.lastChild ?? this.#last;
    this.#lastText = this.#last instanceof Text ? this.#last.data : "";
    return true;
  }

  /** Puts nodes after what is settled. A text that follows a text becomes a part of it. */
  #show(nodes: (Node | string)[]): void {
    const [first] = nodes;
    const joins = this.#last instanceof Text && typeof first === "string";
    if (this.#last instanceof Text) {
      updateNode(this.#last, document.createTextNode(joins ? this.#lastText + first : this.#lastText));
    }
    const behind = joins ? nodes.slice(1) : nodes;
    const made = behind.map((node) => (typeof node === "string" ? document.createTextNode(node) : node));
    updateChildren(this.#holder, this.#last.nextSibling, made);
  }
}

/** The block that holds the last line: of a list, its last item. */
function lastHolder(block: HTMLElement | undefined): HTMLElement | undefined {
  let node = block;
  while (node?.lastChild instanceof HTMLElement && !MARKED.has(node.lastChild.tagName)) node = node.lastChild;
  return node && HOLDERS.has(node.tagName) ? node : undefined;
}

/** A mark that stands in a text is one without its other half. Without any letter, it may still become a list or a rule. */
function isSettled(holder: HTMLElement): boolean {
  if (!HAS_LETTER.test(holder.textContent)) return false;
  return [...holder.childNodes].every((node) => !(node instanceof Text && MARK.test(node.data)));
}

/** Whether the last node shows the end of the text, and no word that may become an address. */
function endsAs(last: ChildNode, text: string): boolean {
  const end = text.at(-1) ?? "";
  if (!(last instanceof Text)) return MARKED.has(last.nodeName) && "*`)".includes(end);
  return last.data.endsWith(end) && ENDS_IN_LETTERS.test(last.data);
}
