import temml from "temml";
import { buildMathml } from "./build-mathml.ts";

/** TeX is a language with macros: these bounds keep one formula from taking the page. */
const LIMITS = { maxExpand: 200, maxSize: [20, 200] as [number, number] };

/** A formula as MathML, or undefined if it is not TeX that can be shown. Makes no link and loads nothing. */
export function renderFormula(tex: string, isDisplayed: boolean): Node | undefined {
  const options = { displayMode: isDisplayed, throwOnError: true, trust: false, ...LIMITS };
  try {
    // The tree rather than its own DOM or markup: what goes on the page is ours to choose.
    const tree: unknown = temml.__renderToMathMLTree(tex, options);
    return buildMathml(tree);
  } catch {
    return undefined;
  }
}
