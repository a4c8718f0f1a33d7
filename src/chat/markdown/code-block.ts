import { element } from "./element.ts";
import { type HighlightState, highlightLine, type Language, languageOf } from "./highlight.ts";

const CHUNK_LINES = 40;
/** Characters. A longer line, such as minified code, stays plain. */
const LONGEST_COLOURED = 2_000;

/**
 * A block of code that grows. Its lines stand in chunks of 40, so that only the last one is laid out again; a chunk
 * is plain while it grows and coloured once when it is full or the block ends.
 */
export class CodeBlock {
  readonly node: HTMLElement;
  readonly info: string;
  readonly #code: HTMLElement;
  readonly #language: Language | undefined;
  #state: HighlightState = "";
  #chunk: HTMLElement | undefined;
  #open: Text | undefined;
  #linesInChunk = 0;
  #length = 0;

  constructor(info: string) {
    this.info = info;
    const name = /^[\w+#.-]{1,24}/.exec(info)?.[0] ?? "";
    this.#language = languageOf(name);
    this.#code = element("code");
    this.node = frame(name, this.#code);
  }

  /** Brings the block to `code`, which begins with what it was given before. */
  grow(code: string): void {
    let from = this.#length;
    this.#length = code.length;
    for (let end = code.indexOf("\n", from); end >= 0; end = code.indexOf("\n", from)) {
      this.#write(code.slice(from, end + 1));
      from = end + 1;
      this.#linesInChunk++;
      if (this.#linesInChunk === CHUNK_LINES) this.#finishChunk();
    }
    if (from < code.length) this.#write(code.slice(from));
  }

  /** Nothing more comes. */
  end(): void {
    this.#finishChunk();
  }

  #write(text: string): void {
    if (!this.#open) {
      this.#open = document.createTextNode("");
      this.#chunk = element("span", "md-chunk", this.#open);
      this.#code.append(this.#chunk);
    }
    this.#open.appendData(text);
  }

  #finishChunk(): void {
    if (this.#open && this.#chunk && this.#language) {
      replaceText(this.#chunk, this.#open, this.#colour(this.#open.data, this.#language));
    }
    // A shorter one is not as high as is expected of what is not laid out.
    if (this.#linesInChunk === CHUNK_LINES) this.#chunk?.classList.add("md-still");
    this.#open = undefined;
    this.#chunk = undefined;
    this.#linesInChunk = 0;
  }

  #colour(text: string, language: Language): (Node | string)[] {
    const nodes: (Node | string)[] = [];
    let plain = "";
    for (const line of text.split(/(?<=\n)/)) {
      if (line.length > LONGEST_COLOURED) {
        plain += line;
        continue;
      }
      const { parts, state } = highlightLine(line, language, this.#state);
      this.#state = state;
      for (const { kind, text: part } of parts) {
        if (kind === undefined) plain += part;
        else {
          if (plain) nodes.push(plain);
          plain = "";
          nodes.push(element("span", `md-${kind}`, part));
        }
      }
    }
    if (plain) nodes.push(plain);
    return nodes;
  }
}

/** Replaces `text`, all that is in `place`, by nodes with the same letters. What is selected in it stays selected. */
function replaceText(place: HTMLElement, text: Text, nodes: (Node | string)[]): void {
  const selection = document.getSelection();
  const { anchorNode = null, anchorOffset = 0, focusNode = null, focusOffset = 0 } = selection ?? {};
  const isSelected = place.contains(anchorNode) || place.contains(focusNode);
  place.replaceChildren(...nodes);
  if (!isSelected || !anchorNode || !focusNode) return;
  const now = (node: Node, offset: number) => {
    if (node === text) return placeInText(place, offset);
    return [node, node === place && offset > 0 ? place.childNodes.length : offset] as const;
  };
  selection?.setBaseAndExtent(...now(anchorNode, anchorOffset), ...now(focusNode, focusOffset));
}

/** The text below `place` that holds its character `offset`, and the offset within that text. */
function placeInText(place: HTMLElement, offset: number): readonly [Node, number] {
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let text = texts.nextNode(); text instanceof Text; text = texts.nextNode()) {
    if (left <= text.length) return [text, left];
    left -= text.length;
  }
  return [place, 0];
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
