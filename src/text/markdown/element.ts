/** The only elements that Markdown can become. */
export type Tag =
  | "a"
  | "blockquote"
  | "br"
  | "button"
  | "code"
  | "del"
  | "div"
  | "em"
  | "h3"
  | "h4"
  | "h5"
  | "h6"
  | "hr"
  | "img"
  | "input"
  | "li"
  | "ol"
  | "p"
  | "pre"
  | "span"
  | "strong"
  | "table"
  | "tbody"
  | "td"
  | "th"
  | "thead"
  | "tr"
  | "ul";

/** Blocks that take their direction from their text: a Hebrew one may follow an English one. */
const OWN_DIRECTION: ReadonlySet<Tag> = new Set(["blockquote", "h3", "h4", "h5", "h6", "ol", "p", "td", "th", "ul"]);

/** A new element with a class (or none) and children; strings become text nodes. */
export function element<T extends Tag>(
  tag: T,
  className?: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (OWN_DIRECTION.has(tag)) made.dir = "auto";
  made.append(...children);
  return made;
}
