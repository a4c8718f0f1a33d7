import { element } from "./element.ts";

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

/** True if `old` can become `next` by changing what is inside it. */
function canBecome(old: Node, next: Node): boolean {
  if (old instanceof Text) return next instanceof Text;
  if (!(old instanceof HTMLElement && next instanceof HTMLElement)) return old.isEqualNode(next);
  return old.tagName === next.tagName && haveSameAttributes(old, next);
}

function haveSameAttributes(a: HTMLElement, b: HTMLElement): boolean {
  if (a.attributes.length !== b.attributes.length) return false;
  for (const { name, value } of a.attributes)
    if (name !== SET_BY_READER && b.getAttribute(name) !== value) return false;
  return true;
}

/** Of "Wrap lines". It stays as it is when its block is written again. */
const SET_BY_READER = "aria-pressed";

/**
 * Makes `old` equal to `next` (`canBecome` must hold) and does not touch what is equal already, so that the nodes of a
 * growing paragraph and a selection in it stay. Moves nodes out of `next`.
 */
function updateNode(old: Node, next: Node): void {
  if (old instanceof Text && next instanceof Text) {
    if (!next.data.startsWith(old.data)) old.data = next.data;
    else if (next.data.length > old.data.length) old.appendData(next.data.slice(old.data.length));
    return;
  }
  if (!(old instanceof HTMLElement)) return;
  let place = old.firstChild;
  let wanted = next.firstChild;
  while (wanted) {
    const following = wanted.nextSibling;
    if (!place) old.append(wanted);
    else if (canBecome(place, wanted)) {
      updateNode(place, wanted);
      place = place.nextSibling;
    } else {
      const replaced = place;
      place = place.nextSibling;
      replaced.replaceWith(wanted);
    }
    wanted = following;
  }
  while (place) {
    const surplus = place;
    place = place.nextSibling;
    surplus.remove();
  }
}

const PLAIN = /^[\p{L}\p{N} ,.;?'"()-]+$/u;
const OWNERS = new Set(["P", "LI", "TD", "H3", "H4", "H5", "H6"]);

/** The text that stands last in `block`, if it belongs to the block itself and not to a link or other mark in it. */
function lastText(block: Node | undefined): Text | undefined {
  let node: Node | null | undefined = block;
  while (node && !(node instanceof Text)) node = node.lastChild;
  return node && OWNERS.has(node.parentNode?.nodeName ?? "") ? node : undefined;
}

/**
 * Shows the growth from `before` to `after` by adding to the last text, if all of it is words. Returns false if it may
 * be more than that and the segment has to be read again. A finished segment is always read completely.
 */
export function addPlainText(block: Node | undefined, before: string, after: string): boolean {
  const from = before.length;
  const added = after.slice(from);
  if (added === "") return true;
  if (!PLAIN.test(added)) return false;
  const text = lastText(block);
  if (!text?.data.endsWith(before.charAt(from - 1)) || from === 0) return false;
  text.appendData(added);
  return true;
}
