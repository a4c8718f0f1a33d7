import { ChevronsLeftRight } from "lucide-react";
import type { KeyboardEvent, Ref } from "react";

interface DividerProps {
  ref: Ref<HTMLDivElement>;
  /** From the left edge of the stage, in CSS pixels. */
  left: number;
  /** How much of the picture is A, 0 to 100. */
  share: number;
  onShare: (share: number) => void;
  /** What A and B are called. */
  names: readonly [string, string];
}

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** The line between A and B. It is dragged with the picture around it, and has the keys of a slider. */
export function Divider({ ref, left, share, onShare, names }: DividerProps) {
  const shown = Math.round(share);
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) onShare(shown + step * (event.shiftKey ? 10 : 1));
    else if (event.key === "Home") onShare(0);
    else if (event.key === "End") onShare(100);
    else if (event.key === "Enter") onShare(50);
    else return;
    event.preventDefault();
  }
  return (
    <div
      ref={ref}
      role="slider"
      tabIndex={0}
      aria-label="Divider between A and B"
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={shown}
      aria-valuetext={`${shown} % ${names[0]}, ${100 - shown} % ${names[1]}`}
      onKeyDown={onKeyDown}
      className="group/divider absolute inset-y-0 z-10 w-11 -translate-x-1/2 cursor-ew-resize outline-none group-has-[:is([data-phase=failed],[data-phase=held])]/stage:hidden"
      style={{ left }}
    >
      <span
        aria-hidden
        className="absolute inset-y-0 left-1/2 w-0.5 -translate-x-1/2 bg-white shadow-[0_0_0_1px_rgb(0_0_0/0.35)] group-focus-visible/divider:bg-focus forced-colors:bg-[Highlight]"
      />
      <span
        aria-hidden
        className="absolute top-1/2 left-1/2 grid size-9 -translate-x-1/2 -translate-y-1/2 place-items-center rounded-full bg-white text-black shadow-[0_1px_6px_rgb(0_0_0/0.45)] outline-offset-2 group-focus-visible/divider:outline-2 group-focus-visible/divider:outline-focus forced-colors:border"
      >
        <ChevronsLeftRight className="size-4" />
      </span>
    </div>
  );
}
