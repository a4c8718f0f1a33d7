import { element } from "./element.ts";

type RenderFormula = (tex: string, isDisplayed: boolean) => Node | undefined;

/** Builds formulas: as their source at first, as MathML once the renderer has loaded. */
export type MathWriter = ReturnType<typeof createMathWriter>;

const MAX_CACHED = 300;
// One renderer and one cache of its formulas for all texts of the page: a formula follows from its source alone.
const rendered = new Map<string, Node | undefined>();
let render: RenderFormula | undefined;
let loading: Promise<void> | undefined;

function load(): Promise<void> {
  loading ??= import("./render-formula.ts").then(
    (module) => {
      render = module.renderFormula;
    },
    () => {
      // The source stays readable; the next formula tries again.
      loading = undefined;
    },
  );
  return loading;
}

/** Loads the renderer with the first formula, and calls `onReady` when it has loaded. */
export function createMathWriter(onReady: () => void) {
  const show = (place: HTMLElement, tex: string, isDisplayed: boolean): boolean => {
    const formula = renderOnce(tex, isDisplayed);
    if (formula) place.replaceChildren(formula);
    return formula !== undefined;
  };
  return {
    build(tex: string, isDisplayed: boolean): HTMLElement {
      const place = element(isDisplayed ? "div" : "span", isDisplayed ? "md-formula" : "md-math", tex);
      if (render) show(place, tex, isDisplayed);
      else {
        place.setAttribute("data-tex", tex);
        void load().then(onReady);
      }
      return place;
    },
    /** Shows every formula below `root` that is still its source. */
    upgrade(root: HTMLElement): void {
      if (!render) return;
      for (const place of root.querySelectorAll<HTMLElement>("[data-tex]")) {
        show(place, place.getAttribute("data-tex") ?? "", place.className === "md-formula");
        place.removeAttribute("data-tex");
      }
    },
  };
}

function renderOnce(tex: string, isDisplayed: boolean): Node | undefined {
  const key = `${isDisplayed ? "d" : "i"}${tex}`;
  if (!rendered.has(key)) {
    if (rendered.size >= MAX_CACHED) rendered.clear();
    rendered.set(key, render?.(tex, isDisplayed));
  }
  return rendered.get(key)?.cloneNode(true);
}
