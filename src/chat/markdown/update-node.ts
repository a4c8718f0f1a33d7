/** True if `old` can become `next` by changing what is inside it. */
export function canBecome(old: Node, next: Node): boolean {
  if (old instanceof Text) return next instanceof Text;
  if (!(old instanceof HTMLElement && next instanceof HTMLElement)) return old.isEqualNode(next);
  return old.tagName === next.tagName && haveSameAttributes(old, next);
}

function haveSameAttributes(a: HTMLElement, b: HTMLElement): boolean {
  if (a.attributes.length !== b.attributes.length) return false;
  for (const { name, value } of a.attributes) if (b.getAttribute(name) !== value) return false;
  return true;
}

/**
 * Makes `old`, which `canBecome(next)`, equal to it and leaves alone what is equal already: a growing paragraph keeps
 * its nodes, and a selection in it stays. Takes over nodes from `next`.
 */
export function updateNode(old: Node, next: Node): void {
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
