import { onReactCommit } from "../setup/react-commits.ts";

/** What is used here of React's own record of a component. */
interface Fiber {
  tag: number;
  flags: number;
  stateNode: unknown;
  child: Fiber | null;
  sibling: Fiber | null;
  return: Fiber | null;
  alternate: Fiber | null;
}

const COMPONENT_TAGS = new Set([0, 1, 11, 14, 15]);
const PERFORMED_WORK = 1;

/** The element that a component drew, else the one around it. */
function elementOf(fiber: Fiber): Element | undefined {
  for (let at: Fiber | null = fiber; at; at = at.child) if (at.stateNode instanceof Element) return at.stateNode;
  for (let at: Fiber | null = fiber; at; at = at.return) if (at.stateNode instanceof Element) return at.stateNode;
  return undefined;
}

function visit(fiber: Fiber, rows: Set<Element>): void {
  if (COMPONENT_TAGS.has(fiber.tag) && fiber.flags & PERFORMED_WORK) {
    const row = elementOf(fiber)?.closest("[data-field]");
    if (row) rows.add(row);
  }
  // Children that a component shares with its former self were not looked at.
  if (fiber.child === fiber.alternate?.child) return;
  for (let child = fiber.child; child; child = child.sibling) visit(child, rows);
}

/** The rows of the form in which any component rendered since `take` was last called. */
export function watchRenderedRows(): { take: () => Element[]; stop: () => void } {
  const rows = new Set<Element>();
  const stop = onReactCommit((root) => visit(root as Fiber, rows));
  return {
    stop,
    take() {
      const taken = [...rows];
      rows.clear();
      return taken;
    },
  };
}
