import { element } from "./element.ts";
import { canBecome, updateNode } from "./update-node.ts";

const BLOCKS_IN_GROUP = 8;

/**
 * The blocks on the page, in groups of eight: a full group that is out of sight costs no layout and no paint. The
 * last blocks may still change; those before them are never touched again.
 */
export class BlockList {
  readonly #root: HTMLElement;
  #group: HTMLElement | undefined;
  #inGroup = 0;
  #unfinished: HTMLElement[] = [];
  #before: HTMLElement[] = [];

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** Begins a frame's change: what was unfinished may be used again. */
  begin(): void {
    this.#before = this.#unfinished;
    this.#unfinished = [];
  }

  /** Puts a finished segment's blocks in place and returns those on the page. */
  finish(nodes: HTMLElement[]): HTMLElement[] {
    const placed = nodes.map((node) => this.#place(node));
    this.#inGroup++;
    return placed;
  }

  /** Puts blocks in place that may still change. */
  showUnfinished(nodes: HTMLElement[]): void {
    for (const node of nodes) this.#unfinished.push(this.#place(node));
  }

  lastUnfinished(): HTMLElement | undefined {
    return this.#unfinished.at(-1);
  }

  /** Ends a frame's change. */
  commit(): void {
    for (const node of this.#before) node.remove();
    this.#before = [];
  }

  #place(node: HTMLElement): HTMLElement {
    const group = this.#openGroup();
    const old = this.#before.shift();
    if (old === undefined || old === node) {
      if (node.parentNode !== group) group.append(node);
      return node;
    }
    // A code block writes into its own nodes.
    if (node.className !== "md-code" && canBecome(old, node)) {
      updateNode(old, node);
      if (old.parentNode !== group) group.append(old);
      return old;
    }
    if (old.parentNode === group) old.replaceWith(node);
    else {
      old.remove();
      group.append(node);
    }
    return node;
  }

  #openGroup(): HTMLElement {
    if (!this.#group || this.#inGroup >= BLOCKS_IN_GROUP) {
      this.#group?.classList.add("md-still");
      this.#group = element("div", "md-group");
      this.#root.append(this.#group);
      this.#inGroup = 0;
    }
    return this.#group;
  }
}
