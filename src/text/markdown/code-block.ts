import { element } from "./element.ts";
import { findLanguage, type HighlightState, highlightLine, type Language } from "./highlight.ts";

const CHUNK_LINES = 40;
/** Characters. A longer line, such as minified code, stays plain. */
const MAX_COLORED_LENGTH = 2_000;

/**
 * A block of code that grows. Each line is colored once, when it is complete; the open line is plain. The lines stand
 * in chunks of 40, so that only the last chunk is laid out again.
 */
export class CodeBlock {
  readonly node: HTMLElement;
  readonly info: string;
  readonly #code: HTMLElement;
  readonly #language: Language | undefined;
  #state: HighlightState = "";
  #chunk: HTMLElement | undefined;
  /** The text of the open line so far. For an unknown language: of the whole open chunk. */
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

  /** Shows `code`, which must begin with what the block was given before. */
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

  /** Takes the rest of a line and colors the line. */
  #finishLine(rest: string): void {
    if (!this.#language) {
      this.#write(rest);
      return;
    }
    const nodes = this.#color((this.#open?.data ?? "") + rest, this.#language);
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
    // A shorter chunk is not as high as the style sheet assumes for chunks that are not laid out.
    if (this.#linesInChunk === CHUNK_LINES) this.#chunk?.classList.add("md-still");
    this.#open = undefined;
    this.#chunk = undefined;
    this.#linesInChunk = 0;
  }

  #color(line: string, language: Language): (Node | string)[] {
    if (line.length > MAX_COLORED_LENGTH) return [line];
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

/** Adds nodes at the end. A text that follows a text is joined to it. */
function appendNodes(place: HTMLElement, nodes: (Node | string)[]): void {
  const [first, ...others] = nodes;
  const last = place.lastChild;
  if (typeof first === "string" && last instanceof Text) {
    last.appendData(first);
    place.append(...others);
  } else place.append(...nodes);
}

/**
 * Replaces an open line, the last of its chunk, by nodes with the same characters. A selection in the line stays.
 */
function replaceText(text: Text, nodes: (Node | string)[]): void {
  const place = text.parentElement;
  if (!place) return;
  const selection = document.getSelection();
  const { anchorNode = null, anchorOffset = 0, focusNode = null, focusOffset = 0 } = selection ?? {};
  // One end of the selection is in the line, or is counted in the children of its chunk.
  const isSelected = [anchorNode, focusNode].some((node) => node === text || node === place);
  const previous = text.previousSibling;
  // `appendNodes` joins the line's first text to a text before it.
  const joined = previous instanceof Text ? previous : undefined;
  const joinedLength = joined?.length ?? 0;
  text.remove();
  appendNodes(place, nodes);
  if (!isSelected || !anchorNode || !focusNode) return;
  const first = joined ?? (previous ? previous.nextSibling : place.firstChild);
  const movedTo = (node: Node, offset: number) => {
    if (node === text) return placeInText(place, first, joinedLength + offset);
    return [node, node === place ? Math.min(offset, place.childNodes.length) : offset] as const;
  };
  selection?.setBaseAndExtent(...movedTo(anchorNode, anchorOffset), ...movedTo(focusNode, focusOffset));
}

/**
 * The text node with the character `offset`, counted from the child `first` of `place`, and the offset in that node.
 */
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
