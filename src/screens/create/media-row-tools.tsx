import { ArrowDown, ArrowUp } from "lucide-react";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { IconButton } from "#ui/icon-button.tsx";
import type { MediaRow, MediaRows } from "./media-rows.ts";

/** Moves one of several inputs up and down. The focus stays on the button, so that it can be pressed again. */
export function MediaRowTools({
  label,
  row,
  rows,
  position,
}: {
  label: string;
  row: MediaRow;
  rows: MediaRows;
  position: number;
}) {
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  function move(by: -1 | 1) {
    flushSync(() => rows.move(row.id, by));
    // The browser takes the focus off an element that is put elsewhere.
    (by === -1 ? up : down).current?.focus();
  }
  return (
    <>
      <IconButton ref={up} size="sm" label={`Move ${label} up`} aria-disabled={position === 0} onClick={() => move(-1)}>
        <ArrowUp aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton
        ref={down}
        size="sm"
        label={`Move ${label} down`}
        aria-disabled={position === rows.get().length - 1}
        onClick={() => move(1)}
      >
        <ArrowDown aria-hidden="true" className="size-4" />
      </IconButton>
    </>
  );
}
