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
    <button type="button" ref={ref} onFocus={enter} className="flex w-full flex-col text-left text-[12.5px] text-ink-3">
      {rows.map(({ name, field }) => (
        <span key={name} className="h-18">
          {field.label}
        </span>
      ))}
    </button>
  );
}

const FOLLOWING = 4;
