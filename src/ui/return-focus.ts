// Where the focus goes when what had it is closed, hidden or removed.

const FOCUSABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]:not([tabindex='-1'])";
/** How many stops of the Tab key are remembered on each side: more than one act usually removes. */
const MAX_NEIGHBORS = 12;

/** Whether an element can be seen. Older browsers cannot say so; there the attempt to focus it shows it. */
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

/** Focuses the first visible stop of the Tab key in a part of the page. Selects its text, as a dialog does when it opens. */
export function focusFirst(part: Element): void {
  const first = [...part.querySelectorAll<HTMLElement>("*")].find(
    (element) => element.matches(FOCUSABLE) && element.tabIndex >= 0 && isShown(element),
  );
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
}

/**
 * Remembers what has the focus, and the stops around it. Returns a function that puts the focus back. If the element is gone or
 * hidden by then, and nothing else took the focus, it goes to the next stop that is still there, else to one before it, else to
 * the screen's heading.
 */
export function rememberFocus(): () => void {
  const from = document.activeElement;
  const room = from?.closest("[role=dialog], [role=alertdialog], main") ?? document.body;
  const stops = [...room.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const index = from instanceof HTMLElement ? stops.indexOf(from) : -1;
  const after = index < 0 ? [] : stops.slice(index + 1, index + 1 + MAX_NEIGHBORS);
  const before = index < 0 ? [] : stops.slice(Math.max(0, index - MAX_NEIGHBORS), index).reverse();
  return () => {
    const origin = from instanceof HTMLElement && from !== document.body ? [from] : [];
    for (const element of [...origin, ...after, ...before]) {
      if (!isShown(element)) continue;
      // The screen may have moved the focus itself, for example to a list. That is better than a neighbor.
      if (element !== from && !isLost()) return;
      element.focus({ preventScroll: element !== from });
      if (document.activeElement === element) return;
    }
    if (isLost()) focusScreen();
  };
}

/**
 * Watches for the removal of the focused element, as after a deletion, and then moves the focus to what is nearest to the gap. A
 * screen or a dialog that moves the focus itself has precedence. Returns a function that ends the watching.
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

/** Focuses what follows the gap, else what precedes it, else something in the nearest element around it. */
function focusNear({ target, nextSibling, previousSibling }: MutationRecord): void {
  const findFocusable = (node: Node | null, last = false) => {
    if (!(node instanceof Element) || !node.isConnected) return undefined;
    const inside = [...node.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isShown);
    if (node.matches(FOCUSABLE) && isShown(node)) inside.unshift(node as HTMLElement);
    return last ? inside.at(-1) : inside[0];
  };
  const room = document.querySelector("[role=alertdialog], [role=dialog], main");
  let around: Node | null = target;
  let found = findFocusable(nextSibling) ?? findFocusable(previousSibling, true);
  while (!found && around && around !== room && around !== document.body) {
    found = findFocusable(around);
    around = around.parentNode;
  }
  if (found) found.focus({ preventScroll: true });
  else focusScreen();
}
