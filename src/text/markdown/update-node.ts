/** True if `old` can become `next` by changing what is inside it. */
export function canBecome(old: Node, next: Node): boolean {
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

/** The attribute of "Wrap lines". It does not change when its block is written again. */
const SET_BY_READER = "aria-pressed";

/**
 * Makes `old` equal to `next` (`canBecome` must be true) and does not touch what is equal already, so that the nodes of
 * a growing paragraph and a selection in it stay. Moves nodes out of `next`.
 */
export function updateNode(old: Node, next: Node): void {
  if (old instanceof Text && next instanceof Text) {
    if (!next.data.startsWith(old.data)) old.data = next.data;
    else if (next.data.length > old.data.length) old.appendData(next.data.slice(old.data.length));
    return;
  }
  if (old instanceof HTMLElement) updateChildren(old, old.firstChild, [...next.childNodes]);
}

/**
 * Makes the children of `parent` from `place` on equal to `wanted`, as `updateNode` does. With null as `place`, adds
 * them at the end. Moves the wanted nodes away from where they are.
 */
export function updateChildren(parent: HTMLElement, place: ChildNode | null, wanted: readonly Node[]): void {
  let next = place;
  for (const node of wanted) {
    const old = next;
    next = old?.nextSibling ?? null;
    if (!old) parent.append(node);
    else if (canBecome(old, node)) updateNode(old, node);
    else old.replaceWith(node);
  }
  while (next) {
    const surplus = next;
    next = surplus.nextSibling;
    surplus.remove();
  }
}
