import { element } from "./element.ts";
import { canBecome, updateNode } from "./update-node.ts";

const BLOCKS_IN_GROUP = 8;

/**
 * The blocks on the page, in groups of eight: a full group that is far out of sight costs no layout and no paint. The last
 * blocks may still change; those before them are never touched again.
 */
export class BlockList {
  readonly #root: HTMLElement;
  #group: HTMLElement | undefined;
  /** Full groups that are laid out wherever they are. */
  #full: HTMLElement[] = [];
  #inGroup = 0;
  #unfinished: HTMLElement[] = [];
  #before: HTMLElement[] = [];
  readonly #owned = new WeakSet<HTMLElement>();

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** Begins a frame's change: what was unfinished may be used again. */
  begin(): void {
    this.#skipFarGroups();
    this.#before = this.#unfinished;
    this.#unfinished = [];
  }

  /** Leaves what is inside a node to its owner, who goes on writing into this very node. */
  leaveToOwner(node: HTMLElement): void {
    this.#owned.add(node);
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
   * Full groups that are more than a window out of sight are skipped by the browser from now on. They were on the page in
   * an earlier frame, so that their height is known: with a height that is only expected, the lines in sight would jump as
   * soon as the true one is.
   */
  #skipFarGroups(): void {
    const far: [group: HTMLElement, height: number][] = [];
    this.#full = this.#full.filter((group) => {
      const { top, bottom, height } = group.getBoundingClientRect();
      const isFar = height > 0 && (bottom < -window.innerHeight || top > 2 * window.innerHeight);
      if (isFar) far.push([group, height]);
      return !isFar;
    });
    // Written after all of them are read: each is laid out once.
    for (const [group, height] of far) {
      group.style.containIntrinsicBlockSize = `auto ${height}px`;
      group.classList.add("md-still");
    }
  }

  #openGroup(): HTMLElement {
    if (!this.#group || this.#inGroup >= BLOCKS_IN_GROUP) {
      if (this.#group) this.#full.push(this.#group);
      this.#group = element("div", "md-group");
      this.#root.append(this.#group);
      this.#inGroup = 0;
    }
    return this.#group;
  }
}
