/** The only elements that text from elsewhere can become. */
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

/** A new element with a class (or none) and children; strings become text nodes. */
export function element<T extends Tag>(
  tag: T,
  className?: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}
