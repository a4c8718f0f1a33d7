// Queries by role and checks of visibility ask each element and all above it for its computed style, and jsdom matches its
// whole default style sheet anew for each answer. No style sheet of the studio is loaded in jsdom, so the four properties
// that are asked for follow from the kind of element and from inline styles. Whatever else is asked for, jsdom answers.
const jsdomStyle = window.getComputedStyle.bind(window);

/** Attributes by which jsdom's default style sheet chooses `display`. */
const DECIDING = ["hidden", "open", "type"];
const usualDisplay = new Map<string, string>();

function displayOf(element: Element): string {
  const kind = [element.namespaceURI, element.localName, ...DECIDING.map((name) => element.getAttribute(name))].join(
    " ",
  );
  let display = usualDisplay.get(kind);
  if (display === undefined) {
    const like = document.createElementNS(element.namespaceURI, element.localName);
    for (const name of DECIDING) {
      const value = element.getAttribute(name);
      if (value !== null) like.setAttribute(name, value);
    }
    display = jsdomStyle(like).display;
    usualDisplay.set(kind, display);
  }
  return display;
}

const inlineStyle = (element: Element) => (element as Partial<ElementCSSInlineStyle>).style;

function inherited(element: Element, property: "visibility" | "pointerEvents"): string | undefined {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const value = inlineStyle(at)?.[property];
    if (value && value !== "inherit") return value;
  }
  return undefined;
}

function quickValue(element: Element, property: string): string | undefined {
  switch (property) {
    case "display":
      return inlineStyle(element)?.display || displayOf(element);
    case "visibility":
      return inherited(element, "visibility") ?? "visible";
    case "pointerEvents":
    case "pointer-events":
      return inherited(element, "pointerEvents") ?? "auto";
    case "opacity":
      return inlineStyle(element)?.opacity || "1";
  }
  return undefined;
}

window.getComputedStyle = (element, pseudoElement) => {
  if (pseudoElement) return jsdomStyle(element, pseudoElement);
  let whole: CSSStyleDeclaration | undefined;
  const style = () => (whole ??= jsdomStyle(element));
  return new Proxy({} as CSSStyleDeclaration, {
    get(_, name) {
      if (name === "getPropertyValue") {
        return (property: string) => quickValue(element, property) ?? style().getPropertyValue(property);
      }
      const quick = typeof name === "string" ? quickValue(element, name) : undefined;
      if (quick !== undefined) return quick;
      const value: unknown = Reflect.get(style(), name);
      return typeof value === "function" ? value.bind(style()) : value;
    },
  });
};
