import { type FocusEvent, useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";
import type { NamedField } from "./field-rows.tsx";
import { FOCUSABLE } from "./focus-field.ts";

/** Controls are made this far from the edges of what scrolls, pane or window; of the window where a browser knows no more. */
const NEAR = "200px";
const margins = () =>
  "scrollMargin" in IntersectionObserver.prototype ? { scrollMargin: NEAR } : { rootMargin: NEAR };

export interface GroupStandInProps {
  rows: readonly NamedField[];
  /** Called once, when the group's controls are wanted. */
  onWanted: () => void;
}

/**
 * Stands in for a group of fields that is far out of sight: their labels, so that the page's own search finds them, at
 * about their height. It asks for the controls as it comes near, and when Tab or a press reaches it; the focus then goes
 * on to the first of them, or to the last where it came from below.
 */
export function GroupStandIn({ rows, onWanted }: GroupStandInProps) {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = ref;
    if (!current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && onWanted(),
      margins(),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [onWanted]);

  function enter(event: FocusEvent<HTMLButtonElement>) {
    const { parentElement } = event.currentTarget;
    const from = event.relatedTarget;
    const isFromBelow = from instanceof Node && event.currentTarget.compareDocumentPosition(from) & FOLLOWING;
    flushSync(onWanted);
    const controls = [...(parentElement?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
    controls.at(isFromBelow ? -1 : 0)?.focus();
  }

  return (
    // One text, a line for each field: a long form has many of these, and every element is styled and laid out.
    <button
      type="button"
      ref={ref}
      onFocus={enter}
      className="block w-full overflow-hidden whitespace-pre text-left text-[12.5px] text-ink-3 leading-18"
    >
      {rows.map(({ field }) => field.label.replaceAll("\n", " ")).join("\n")}
    </button>
  );
}

const FOLLOWING = 4;
