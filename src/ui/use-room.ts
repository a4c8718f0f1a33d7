import { useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface Room {
  width: number;
  height: number;
}

/** The room where nothing is laid out yet: a pane that a phone does not show just now is as wide as the window. */
const windowRoom = (): Room => ({ width: window.innerWidth, height: window.innerHeight });

/** The size of an element in CSS pixels, live. Give it the ref; the size is known before anything is painted. */
export function useRoom(): [ref: (node: HTMLElement | null) => void, room: Room] {
  const [room, setRoom] = useState<Room>();
  const observer = useRef<ResizeObserver>(undefined);
  const ref = useCallback((node: HTMLElement | null) => {
    observer.current?.disconnect();
    if (!node) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = node;
      if (width > 0) setRoom((old) => (old?.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    if (typeof ResizeObserver === "undefined") return;
    let widthBefore = node.clientWidth;
    observer.current = new ResizeObserver(() => {
      const isOther = node.clientWidth !== widthBefore;
      widthBefore = node.clientWidth;
      // Within this frame, as when a hidden pane is shown: what was laid out for another width is never painted.
      if (isOther) flushSync(measure);
      else measure();
    });
    observer.current.observe(node);
  }, []);
  return [ref, room ?? windowRoom()];
}
