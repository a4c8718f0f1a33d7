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
 * be more than that and the segment has to be read again. A finished segment is always read whole.
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
