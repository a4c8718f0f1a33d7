const FOCUSABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]:not([tabindex='-1'])";
/** The stops of the Tab key on either side that are remembered: more than an act usually removes together. */
const NEIGHBOURS = 12;

// Where the browser does not say so, trying to focus it does.
const isShown = (element: Element) =>
  element.isConnected && (element.checkVisibility?.({ checkVisibilityCSS: true }) ?? true);

/** Whether nothing has the focus. */
const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** Moves the focus to the screen's heading, else to the element that holds the screen. */
export function focusScreen(): void {
  const main = document.getElementById("main") ?? document.querySelector("main");
  const heading = main?.querySelector<HTMLElement>("h1");
  if (heading) heading.tabIndex = -1;
  (heading ?? main)?.focus({ preventScroll: true });
}

/** Focuses the first stop of the Tab key in it, with the text of an input selected, as a dialog does that opens. */
export function focusFirst(room: Element): void {
  const first = [...room.querySelectorAll<HTMLElement>("*")].find(
    (element) => element.matches(FOCUSABLE) && element.tabIndex >= 0 && isShown(element),
  );
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
}

/**
 * Remembers what has the focus, and what stands around it. The function that it gives puts the focus back there; where
 * the element is gone or hidden by then, and nothing else took the focus, on the next one that is still there, then on one
 * before it, then on the screen's heading.
 */
export function rememberFocus(): () => void {
  const from = document.activeElement;
  const room = from?.closest("[role=dialog], [role=alertdialog], main") ?? document.body;
  const stops = [...room.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const at = from instanceof HTMLElement ? stops.indexOf(from) : -1;
  const after = at < 0 ? [] : stops.slice(at + 1, at + 1 + NEIGHBOURS);
  const before = at < 0 ? [] : stops.slice(Math.max(0, at - NEIGHBOURS), at).reverse();
  return () => {
    const own = from instanceof HTMLElement && from !== document.body ? [from] : [];
    for (const element of [...own, ...after, ...before]) {
      if (!isShown(element)) continue;
      // A screen that lost the place has put the focus where it belongs: a list, rather than a neighbour.
      if (element !== from && !isLost()) return;
      element.focus({ preventScroll: element !== from });
      if (document.activeElement === element) return;
    }
    if (isLost()) focusScreen();
  };
}

/**
 * While it runs, the focus does not fall away when what has it is removed, as after a deletion: it goes to what stands
 * nearest to the gap. A screen or a dialog that moves the focus itself goes first. Gives the function that ends it.
 */
export function keepFocus(): () => void {
  let last: Element | null = null;
  let frame = 0;
  const note = (event: FocusEvent) => {
    last = event.target instanceof Element ? event.target : null;
  };
  const observer = new MutationObserver((records) => {
    if (last === null || last.isConnected || !isLost()) return;
    const gone = last;
    const record = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)));
    last = null;
    if (!record) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      if (isLost() && document.visibilityState === "visible") focusNear(record);
    });
  });
  document.addEventListener("focusin", note);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", note);
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

/** Focuses what follows the gap, else what precedes it, else the nearest that is around it. */
function focusNear({ target, nextSibling, previousSibling }: MutationRecord): void {
  const inOrOf = (node: Node | null, last = false) => {
    if (!(node instanceof Element) || !node.isConnected) return undefined;
    const inside = [...node.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isShown);
    if (node.matches(FOCUSABLE) && isShown(node)) inside.unshift(node as HTMLElement);
    return last ? inside.at(-1) : inside[0];
  };
  const room = document.querySelector("[role=alertdialog], [role=dialog], main");
  let around: Node | null = target;
  let found = inOrOf(nextSibling) ?? inOrOf(previousSibling, true);
  while (!found && around && around !== room && around !== document.body) {
    found = inOrOf(around);
    around = around.parentNode;
  }
  if (found) found.focus({ preventScroll: true });
  else focusScreen();
}
