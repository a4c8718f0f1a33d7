// Runs in the page: what a person sees there, by role and name, as the unit tests look for it.
import { queryAllByLabelText, queryAllByRole, queryAllByText } from "@testing-library/dom";

/** A name or a text: equal to a string, or matched by an expression (its source and flags). */
export type Wanted = string | { source: string; flags: string };

/** One step of the way to an element, from the elements of the step before. */
export type Step =
  | { by: "role"; role: string; name?: Wanted }
  | { by: "label" | "text"; text: Wanted }
  | { by: "css"; selector: string }
  | { by: "index"; index: number };

const matcher = (wanted: Wanted) => (typeof wanted === "string" ? wanted : new RegExp(wanted.source, wanted.flags));

/** The elements at the end of a way, in the order of the document. */
export function findAll(steps: readonly Step[]): HTMLElement[] {
  let found = [document.documentElement];
  for (const step of steps) {
    if (step.by === "index") found = found.slice(step.index).slice(0, 1);
    else found = [...new Set(found.flatMap((within) => findIn(within, step)))];
  }
  return found;
}

function findIn(within: HTMLElement, step: Exclude<Step, { by: "index" }>): HTMLElement[] {
  if (step.by === "css") return [...within.querySelectorAll<HTMLElement>(step.selector)];
  if (step.by === "role") {
    return queryAllByRole(within, step.role, step.name === undefined ? {} : { name: matcher(step.name) });
  }
  const query = step.by === "label" ? queryAllByLabelText : queryAllByText;
  return query(within, matcher(step.text)).filter(isVisible);
}

export function isVisible(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
}

/** The middle of an element, where a click meets it; else the reason why it does not. It is scrolled into view. */
export function clickPoint(element: HTMLElement): { x: number; y: number } | string {
  if (!isVisible(element)) return "it is not visible";
  if (element.matches(":disabled")) return "it is disabled";
  const inView = ({ top, bottom, left, right }: DOMRect) =>
    top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  if (!inView(element.getBoundingClientRect()))
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const x = Math.floor((Math.max(left, 0) + Math.min(right, innerWidth)) / 2);
  const y = Math.floor((Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
  const met = document.elementFromPoint(x, y);
  const labels = "labels" in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
  if (met && [element, ...labels].some((one) => one.contains(met))) return { x, y };
  return `${met?.outerHTML.slice(0, 200)} covers it`;
}
