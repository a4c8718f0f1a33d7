import { closeMarks } from "./close-marks.ts";
import { updateChildren, updateNode } from "./update-node.ts";

/** Characters that are plain text, whatever follows them. */
const LETTER = String.raw`[\p{L}\p{N} ,.;?'"()\/%+=#–—‘’“”…\-]|[:!](?= )`;
const CODE = "`[^`\\n]+`(?!`)";
const LINK = String.raw`\[(?:${LETTER})+\]\(https?:\/\/[^\s()<>\\*&${"`"}]+\)`;
const BOLD = String.raw`\*\*(?! )(?:${LETTER}|${CODE}|${LINK})+(?<! )\*\*`;
const ITALIC = String.raw`\*(?! )(?:${LETTER})+(?<! )\*(?!\*)`;

const ALL_LETTERS = new RegExp(`^(?:${LETTER})+$`, "u");
const ENDS_IN_LETTERS = new RegExp(String.raw`(?:^|\s)(?:${LETTER})*$`, "u");
/** Plain text and complete marks only. */
const SETTLED = new RegExp(`^(?:${LETTER}|${CODE}|${LINK}|${BOLD}|${ITALIC})+$`, "u");
const WHOLE_CODE_OR_LINK = new RegExp(`${CODE}|${LINK}`, "gu");
/** Characters that may open something which ends later. */
const MARK = /[*_`~$<[\]\\&|@]/;
/** Marks whose meaning depends on more than the line. Bold, italic, code and links depend on the line alone. */
const MARK_BEYOND_LINE = /[_~$<\\&|@\n]|!\[/;
const HAS_LETTER = /\p{L}/u;

/** Tags of blocks with a line of text in them. */
const HOLDERS = new Set(["P", "LI", "TD", "H3", "H4", "H5", "H6"]);
const MARKED = new Set(["STRONG", "EM", "CODE", "A"]);

/**
 * The last line of an open block on the page. Its beginning is settled: nothing that follows can change its meaning. So
 * only the text after the settled part is read again, not the whole block.
 */
export class OpenText {
  readonly #holder: HTMLElement;
  #shown: string;
  /** How many characters of the block's text are settled. */
  #settled: number;
  /** The last node of the settled part. */
  #last: ChildNode;
  /** The settled text of `#last`, if it is a text node. */
  #lastText = "";

  private constructor(holder: HTMLElement, last: ChildNode, text: string) {
    this.#holder = holder;
    this.#shown = text;
    this.#settled = text.length;
    this.#last = last;
    this.#lastText = last instanceof Text ? last.data : "";
  }

  /** The open line of `block`, which shows `text`; undefined where its end is not settled, such as within a link. */
  static find(block: HTMLElement | undefined, text: string): OpenText | undefined {
    const holder = lastHolder(block);
    const last = holder?.lastChild;
    if (!last || !isSettled(holder) || !endsAs(last, text)) return undefined;
    return new OpenText(holder, last, text);
  }

  /**
   * Shows the block's text, which has grown to `text`. Returns false, and shows nothing, where the new text may be more
   * than words and marks of the same line: the block has to be read again. `read` makes the nodes of a part of a line.
   */
  grow(text: string, read: (part: string) => (Node | string)[]): boolean {
    if (text.length <= this.#shown.length) return text === this.#shown;
    const unsettled = text.slice(this.#settled);
    if (this.#shown.length === this.#settled && ALL_LETTERS.test(unsettled)) this.#show([unsettled]);
    else {
      const closed = closeMarks(text).slice(this.#settled);
      if (MARK_BEYOND_LINE.test(closed.replace(WHOLE_CODE_OR_LINK, ""))) return false;
      this.#show(read(closed));
      this.#shown = text;
      if (closed !== unsettled || !SETTLED.test(unsettled)) return true;
    }
    this.#shown = text;
    this.#settled = text.length;
    this.#last = this.#holder.lastChild ?? this.#last;
    this.#lastText = this.#last instanceof Text ? this.#last.data : "";
    return true;
  }

  /** Puts nodes after the settled part. A text that follows a text is joined to it. */
  #show(nodes: (Node | string)[]): void {
    const [first] = nodes;
    const joins = this.#last instanceof Text && typeof first === "string";
    if (this.#last instanceof Text) {
      updateNode(this.#last, document.createTextNode(joins ? this.#lastText + first : this.#lastText));
    }
    const added = joins ? nodes.slice(1) : nodes;
    const made = added.map((node) => (typeof node === "string" ? document.createTextNode(node) : node));
    updateChildren(this.#holder, this.#last.nextSibling, made);
  }
}

/** The innermost block with the last line in it: of a list, its last item. */
function lastHolder(block: HTMLElement | undefined): HTMLElement | undefined {
  let node = block;
  while (node?.lastChild instanceof HTMLElement && !MARKED.has(node.lastChild.tagName)) node = node.lastChild;
  return node && HOLDERS.has(node.tagName) ? node : undefined;
}

/**
 * Whether nothing in the block can change its meaning. A mark in a text node lacks its other half, and a line without
 * any letter may still become a list or a rule.
 */
function isSettled(holder: HTMLElement): boolean {
  if (!HAS_LETTER.test(holder.textContent)) return false;
  return [...holder.childNodes].every((node) => !(node instanceof Text && MARK.test(node.data)));
}

/** Whether the last node shows the end of the text, and does not end in a word that may become an address. */
function endsAs(last: ChildNode, text: string): boolean {
  const end = text.at(-1) ?? "";
  if (!(last instanceof Text)) return MARKED.has(last.nodeName) && "*`)".includes(end);
  return last.data.endsWith(end) && ENDS_IN_LETTERS.test(last.data);
}
