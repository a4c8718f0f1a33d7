import { BlockList } from "./block-list.ts";
import { BlockSplitter, type Segment } from "./block-splitter.ts";
import { type BuildContext, buildBlocks, buildInline } from "./build-blocks.ts";
import { closeMarks } from "./close-marks.ts";
import { CodeBlock } from "./code-block.ts";
import { element } from "./element.ts";
import { type LinkTargets, lexLine, lexMarkdown, noLinks } from "./lex-markdown.ts";
import { createMathWriter } from "./math-writer.ts";
import { OpenText } from "./open-text.ts";
import { stripHidden } from "./safe-text.ts";

/** Characters that are shown at first, and that each "Show more" adds. */
const SHOWN_AT_ONCE = 100_000;

/** A finished block whose text may name links that are defined later. */
interface Referring {
  text: string;
  nodes: HTMLElement[];
  headings: number[];
}

/** Writes growing Markdown into `root`, which belongs to it alone. Finished blocks are written once. */
export class MarkdownWriter {
  readonly shownImages = new Set<string>();
  readonly #root: HTMLElement;
  readonly #blocks: BlockList;
  readonly #splitter = new BlockSplitter();
  readonly #links: LinkTargets = noLinks();
  readonly #math = createMathWriter(() => this.#math.upgrade(this.#root));
  readonly #more: HTMLButtonElement;
  /** Finished segments that are not on the page yet. */
  #queue: Segment[] = [];
  #referring: Referring[] = [];
  #headings: number[] = [];
  /** The block of code that is still growing. */
  #open: CodeBlock | undefined;
  /** The last line on the page, where only its text grows. */
  #openText: OpenText | undefined;
  /** A `\r` at the end, which may become `\r\n`. */
  #pendingReturn = "";
  #isEnded = false;
  /** Characters of finished segments on the page. */
  #shown = 0;
  #limit = SHOWN_AT_ONCE;

  constructor(root: HTMLElement) {
    this.#root = root;
    const list = element("div");
    this.#blocks = new BlockList(list);
    this.#more = element("button", "md-more", "Show more");
    this.#more.type = "button";
    this.#more.hidden = true;
    this.#more.setAttribute("data-more", "");
    root.replaceChildren(list, this.#more);
  }

  /** Takes more text. Nothing is shown before `write`. */
  take(text: string): void {
    const whole = this.#pendingReturn + text;
    this.#pendingReturn = whole.endsWith("\r") ? "\r" : "";
    const lines = stripHidden(whole.slice(0, whole.length - this.#pendingReturn.length)).replace(/\r\n?/g, "\n");
    this.#queue.push(...this.#splitter.push(lines));
  }

  /** Whether `end` was called. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Takes the end of the text. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#pendingReturn) this.#queue.push(...this.#splitter.push("\n"));
    this.#queue.push(...this.#splitter.end());
  }

  /** Shows what was taken, for about `budgetMs`. Returns true if there is more to show at once. */
  write(budgetMs: number): boolean {
    if (this.#queue.length === 0 && !this.#isEnded && this.#growText()) return false;
    const until = performance.now() + budgetMs;
    this.#openText = undefined;
    this.#blocks.begin();
    let done = 0;
    for (const segment of this.#queue) {
      if (this.#shown >= this.#limit || (done > 0 && performance.now() > until)) break;
      this.#finish(segment);
      done++;
    }
    this.#queue.splice(0, done);
    const hasQueued = this.#queue.length > 0;
    if (!hasQueued && !this.#isEnded && this.#shown < this.#limit) this.#showUnfinished();
    this.#blocks.commit();
    const isCapped = hasQueued && this.#shown >= this.#limit;
    if (this.#more.hidden === isCapped) this.#more.hidden = !isCapped;
    return hasQueued && !isCapped;
  }

  /** Lets the next part of a very long text be shown. */
  showMore(): void {
    this.#limit += SHOWN_AT_ONCE;
  }

  /** Shows new text that only continues the last line. False where the open segment has to be read again. */
  #growText(): boolean {
    if (this.#openText === undefined) return false;
    const [segment, ...others] = this.#splitter.peek();
    if (segment?.kind !== "text" || others.length > 0) return false;
    return this.#openText.grow(withoutEnd(segment), (part) =>
      buildInline(lexLine(part, this.#knownLinks()), this.#context([])),
    );
  }

  /** Shows the segments that have begun and are not finished. */
  #showUnfinished(): void {
    const headings = [...this.#headings];
    const segments = this.#splitter.peek();
    if (segments.at(-1)?.kind !== "code") this.#open = undefined;
    for (const segment of segments) {
      if (segment.kind === "code") this.#blocks.showUnfinished([this.#growCode(segment)]);
      else if (segment.kind === "math") this.#blocks.showUnfinished([this.#math.build(segment.tex, true)]);
      else {
        const tokens = lexMarkdown(closeMarks(segment.text), this.#knownLinks());
        this.#blocks.showUnfinished(buildBlocks(tokens, this.#context(headings)));
      }
    }
    const [first] = segments;
    if (first?.kind === "text" && segments.length === 1 && closeMarks(first.text) === first.text)
      this.#openText = OpenText.find(this.#blocks.lastUnfinished(), withoutEnd(first));
  }

  /** A copy of the link targets, so that an unfinished segment defines none. */
  #knownLinks(): LinkTargets {
    return Object.assign(noLinks(), this.#links);
  }

  #growCode({ info, code }: { info: string; code: string }): HTMLElement {
    // While the line of the fence is still coming, the language changes.
    const block = this.#open?.info === info ? this.#open : new CodeBlock(info);
    block.grow(code);
    this.#blocks.leaveToOwner(block.node);
    this.#open = block;
    return block.node;
  }

  #finish(segment: Segment): void {
    if (segment.kind === "code") {
      this.#shown += segment.code.length;
      const node = this.#growCode(segment);
      this.#open?.end();
      this.#open = undefined;
      this.#blocks.finish([node]);
      return;
    }
    this.#open = undefined;
    if (segment.kind === "math") {
      this.#shown += segment.tex.length;
      this.#blocks.finish([this.#math.build(segment.tex, true)]);
      return;
    }
    this.#shown += segment.text.length;
    this.#finishText(segment.text);
  }

  #finishText(text: string): void {
    const known = new Set(Object.keys(this.#links));
    const tokens = lexMarkdown(text, this.#links);
    const headings = [...this.#headings];
    const nodes = this.#blocks.finish(buildBlocks(tokens, this.#context(this.#headings)));
    for (const label of Object.keys(this.#links)) if (!known.has(label)) this.#resolve(label);
    if (nodes.length > 0 && text.includes("[")) this.#referring.push({ text, nodes, headings });
  }

  /** Writes earlier blocks again that name a label which is defined only now. */
  #resolve(label: string): void {
    for (const block of this.#referring) {
      if (!block.text.toLowerCase().replace(/\s+/g, " ").includes(`[${label}]`)) continue;
      const built = buildBlocks(lexMarkdown(block.text, this.#links), this.#context([...block.headings]));
      block.nodes[0]?.before(...built);
      for (const node of block.nodes) node.remove();
      block.nodes = built;
    }
  }

  #context(headings: number[]): BuildContext {
    return { headings, shownImages: this.shownImages, math: this.#math };
  }
}

/** The text of a segment without its last line end, which may not have come. */
const withoutEnd = ({ text }: { text: string }) => text.slice(0, -1);
