import temml from "temml";
import { isRecord } from "#lib/read.ts";

/** TeX is a language with macros: without these bounds one formula could block the page. */
const LIMITS = { maxExpand: 200, maxSize: [20, 200] as [number, number] };

/** A formula as MathML, or undefined if it is not TeX that can be shown. Makes no link and loads nothing. */
export function renderFormula(tex: string, isDisplayed: boolean): Node | undefined {
  const options = { displayMode: isDisplayed, throwOnError: true, trust: false, ...LIMITS };
  try {
    // The renderer's tree, not its DOM or markup, so that only listed elements and attributes reach the page.
    const tree: unknown = temml.__renderToMathMLTree(tex, options);
    return buildMathml(tree);
  } catch {
    return undefined;
  }
}

const MATHML = "http://www.w3.org/1998/Math/MathML";
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const ELEMENTS = words(
  "math menclose merror mfrac mi mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover mmultiscripts none",
);
const ATTRIBUTES = words(
  "accent accentunder columnalign columnlines columnspacing columnspan depth dir display displaystyle fence form height largeop linethickness lspace mathbackground mathcolor mathvariant maxsize minsize movablelimits notation rowlines rowspacing rowspan rspace scriptlevel separator stretchy symmetric voffset width",
);
/** Characters. Bounds what a formula can put into a style. */
const MAX_STYLE_LENGTH = 60;

/**
 * MathML from the renderer's tree of `{ type, attributes, style, children }` and `{ text }`. Undefined if the tree has
 * an element that is not listed. Attributes and classes that are not listed are left out.
 */
function buildMathml(tree: unknown): Node | undefined {
  if (!isRecord(tree)) return undefined;
  if (typeof tree.text === "string") return document.createTextNode(tree.text);
  const children = Array.isArray(tree.children) ? tree.children.map(buildMathml) : [];
  if (!children.every((child) => child !== undefined)) return undefined;
  if (tree.type === undefined) {
    const fragment = document.createDocumentFragment();
    fragment.append(...children);
    return fragment;
  }
  if (typeof tree.type !== "string" || !ELEMENTS.has(tree.type)) return undefined;
  const made = document.createElementNS(MATHML, tree.type);
  for (const [name, value] of entries(tree.attributes)) if (ATTRIBUTES.has(name)) made.setAttribute(name, value);
  const classes = Array.isArray(tree.classes) ? tree.classes.filter((name) => /^tml-[a-z]+$/.test(String(name))) : [];
  if (classes.length > 0) made.setAttribute("class", classes.join(" "));
  // The DOM of the unit tests has no `style` on MathML elements.
  if ("style" in made) addStyle(made as MathMLElement, tree.style);
  made.append(...children);
  return made;
}

/** Sets styles through the object model: the content policy refuses a `style` attribute. */
function addStyle(made: MathMLElement, style: unknown): void {
  for (const [name, value] of entries(style)) {
    if (value.length > MAX_STYLE_LENGTH || /url|position/i.test(name + value)) continue;
    made.style.setProperty(
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      value,
    );
  }
}

function entries(found: unknown): [string, string][] {
  return isRecord(found) ? Object.entries(found).map(([name, value]) => [name, String(value)]) : [];
}
