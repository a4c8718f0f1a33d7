import { element } from "./element.ts";
import { canBecome, updateNode } from "./update-node.ts";

const SEGMENTS_IN_GROUP = 8;

/**
 * The blocks of a text on the page. The blocks of eight finished segments form a group: the browser skips layout and
 * paint of a full group far out of sight. The last blocks may still change; finished ones are not touched again.
 */
export class BlockList {
  readonly #root: HTMLElement;
  #group: HTMLElement | undefined;
  /** Full groups that the browser does not skip yet. */
  #full: HTMLElement[] = [];
  #inGroup = 0;
  /** Blocks on the page that may still change. */
  #unfinished: HTMLElement[] = [];
  /** During a change: the unfinished blocks of the frame before, to be reused in order. */
  #previous: HTMLElement[] = [];
  readonly #owned = new WeakSet<HTMLElement>();

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** Begins a frame's change. Unfinished blocks of the frame before are reused where they fit. */
  begin(): void {
    this.#skipFarGroups();
    this.#previous = this.#unfinished;
    this.#unfinished = [];
  }

  /** Marks a node whose owner goes on writing into it: it is placed as it is, and not updated to equal another. */
  leaveToOwner(node: HTMLElement): void {
    this.#owned.add(node);
  }

  /** Puts a finished segment's blocks in place. Returns the nodes that stand on the page, which may be reused ones. */
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

  /** Ends a frame's change: removes the previous blocks that were not reused. */
  commit(): void {
    for (const node of this.#previous) node.remove();
    this.#previous = [];
  }

  #place(node: HTMLElement): HTMLElement {
    const group = this.#openGroup();
    const old = this.#previous.shift();
    if (old === undefined || old === node) {
      if (node.parentNode !== group) group.append(node);
      return node;
    }
    if (!this.#owned.has(old) && !this.#owned.has(node) && canBecome(old, node)) {
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

  /**
   * Lets the browser skip full groups that are more than a window out of sight. They were laid out in an earlier frame,
   * so their height is known. With an estimated height, the visible lines would jump when a group is laid out.
   */
  #skipFarGroups(): void {
    const far: [group: HTMLElement, height: number][] = [];
    this.#full = this.#full.filter((group) => {
      const { top, bottom, height } = group.getBoundingClientRect();
      const isFar = height > 0 && (bottom < -window.innerHeight || top > 2 * window.innerHeight);
      if (isFar) far.push([group, height]);
      return !isFar;
    });
    // All sizes are read before the first write, so that the browser lays out the page only once.
    for (const [group, height] of far) {
      group.style.containIntrinsicBlockSize = `auto ${height}px`;
      group.classList.add("md-still");
    }
  }

  #openGroup(): HTMLElement {
    if (!this.#group || this.#inGroup >= SEGMENTS_IN_GROUP) {
      if (this.#group) this.#full.push(this.#group);
      this.#group = element("div", "md-group");
      this.#root.append(this.#group);
      this.#inGroup = 0;
    }
    return this.#group;
  }
}
