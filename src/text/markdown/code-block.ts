import { element } from "./element.ts";
import { findLanguage, type HighlightState, highlightLine, type Language } from "./highlight.ts";

const CHUNK_LINES = 40;
/** Characters. A longer line, such as minified code, stays plain. */
const LONGEST_COLOURED = 2_000;

/**
 * A block of code that grows. Each line is coloured when it is complete and never read again; the open one is plain. Its
 * lines stand in chunks of 40, so that only the last one is laid out again.
 */
export class CodeBlock {
  readonly node: HTMLElement;
  readonly info: string;
  readonly #code: HTMLElement;
  readonly #language: Language | undefined;
  #state: HighlightState = "";
  #chunk: HTMLElement | undefined;
  /** What has come of the open line; of a language that is not known, the whole chunk. */
  #open: Text | undefined;
  #linesInChunk = 0;
  #length = 0;

  constructor(info: string) {
    this.info = info;
    const name = /^[\w+#.-]{1,24}/.exec(info)?.[0] ?? "";
    this.#language = findLanguage(name);
    this.#code = element("code");
    this.node = frame(name, this.#code);
  }

  /** Brings the block to `code`, which begins with what it was given before. */
  grow(code: string): void {
    let from = this.#length;
    this.#length = code.length;
    for (let end = code.indexOf("\n", from); end >= 0; end = code.indexOf("\n", from)) {
      this.#finishLine(code.slice(from, end + 1));
      from = end + 1;
      this.#linesInChunk++;
      if (this.#linesInChunk === CHUNK_LINES) this.#finishChunk();
    }
    if (from < code.length) this.#write(code.slice(from));
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#open && this.#language) this.#finishLine("");
    this.#finishChunk();
  }

  #write(text: string): void {
    if (this.#open) this.#open.appendData(text);
    else {
      this.#open = document.createTextNode(text);
      this.#openChunk().append(this.#open);
    }
  }

  /** Takes the rest of a line and colours the line. */
  #finishLine(rest: string): void {
    if (!this.#language) {
      this.#write(rest);
      return;
    }
    const nodes = this.#colour((this.#open?.data ?? "") + rest, this.#language);
    if (this.#open) replaceText(this.#open, nodes);
    else appendNodes(this.#openChunk(), nodes);
    this.#open = undefined;
  }

  #openChunk(): HTMLElement {
    if (!this.#chunk) {
      this.#chunk = element("span", "md-chunk");
      this.#code.append(this.#chunk);
    }
    return this.#chunk;
  }

  #finishChunk(): void {
    // A shorter one is not as high as is expected of what is not laid out.
    if (this.#linesInChunk === CHUNK_LINES) this.#chunk?.classList.add("md-still");
    this.#open = undefined;
    this.#chunk = undefined;
    this.#linesInChunk = 0;
  }

  #colour(line: string, language: Language): (Node | string)[] {
    if (line.length > LONGEST_COLOURED) return [line];
    const nodes: (Node | string)[] = [];
    const { parts, state } = highlightLine(line, language, this.#state);
    this.#state = state;
    let plain = "";
    for (const { kind, text } of parts) {
      if (kind === undefined) plain += text;
      else {
        if (plain) nodes.push(plain);
        plain = "";
        nodes.push(element("span", `md-${kind}`, text));
      }
    }
    if (plain) nodes.push(plain);
    return nodes;
  }
}

/** Adds nodes at the end; a text that follows a text becomes a part of it. */
function appendNodes(place: HTMLElement, nodes: (Node | string)[]): void {
  const [first, ...others] = nodes;
  const last = place.lastChild;
  if (typeof first === "string" && last instanceof Text) {
    last.appendData(first);
    place.append(...others);
  } else place.append(...nodes);
}

/**
 * Replaces an open line, the last of its chunk, by nodes with the same letters. What is selected in it stays selected.
 */
function replaceText(text: Text, nodes: (Node | string)[]): void {
  const place = text.parentElement;
  if (!place) return;
  const selection = document.getSelection();
  const { anchorNode = null, anchorOffset = 0, focusNode = null, focusOffset = 0 } = selection ?? {};
  // An end that stands in the line, or in its chunk after what comes before the line.
  const isSelected = [anchorNode, focusNode].some((node) => node === text || node === place);
  const before = text.previousSibling;
  const from = before instanceof Text ? before : undefined;
  const ahead = from?.length ?? 0;
  text.remove();
  appendNodes(place, nodes);
  if (!isSelected || !anchorNode || !focusNode) return;
  const first = from ?? (before ? before.nextSibling : place.firstChild);
  const now = (node: Node, offset: number) => {
    if (node === text) return placeInText(place, first, ahead + offset);
    return [node, node === place ? Math.min(offset, place.childNodes.length) : offset] as const;
  };
  selection?.setBaseAndExtent(...now(anchorNode, anchorOffset), ...now(focusNode, focusOffset));
}

/** The text that holds the character `offset`, counted from the child `first` of `place`, and the offset within it. */
function placeInText(place: HTMLElement, first: Node | null, offset: number): readonly [Node, number] {
  let left = offset;
  for (let child = first; child; child = child.nextSibling) {
    const text = child instanceof Text ? child : child.firstChild;
    if (!(text instanceof Text)) continue;
    if (left <= text.length) return [text, left];
    left -= text.length;
  }
  return [place, place.childNodes.length];
}

/** A finished block. */
export function buildCode(info: string, code: string): HTMLElement {
  const block = new CodeBlock(info);
  block.grow(code);
  block.end();
  return block.node;
}

function frame(name: string, code: HTMLElement): HTMLElement {
  const text = element("pre", "", code);
  text.tabIndex = 0;
  text.setAttribute("role", "group");
  text.setAttribute("aria-label", name ? `Code, ${name}` : "Code");
  const wrap = element("button", "", "Wrap");
  wrap.setAttribute("aria-pressed", "false");
  wrap.setAttribute("data-code", "wrap");
  const copy = element("button", "", "Copy");
  copy.setAttribute("data-code", "copy");
  for (const [button, label] of [
    [wrap, "Wrap lines"],
    [copy, "Copy code"],
  ] as const) {
    button.type = "button";
    button.setAttribute("aria-label", label);
  }
  const bar = element("div", "md-code-bar", element("span", "md-code-name", name || "text"), wrap, copy);
  return element("div", "md-code", bar, text);
}
