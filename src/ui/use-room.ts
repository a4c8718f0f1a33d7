import { useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface Room {
  width: number;
  height: number;
}

/** The size that is assumed before the layout: a pane that a phone does not show yet will be as wide as the window. */
const windowRoom = (): Room => ({ width: window.innerWidth, height: window.innerHeight });

/** The size of an element in CSS pixels, live. Pass the returned ref to the element: its size is known before it is painted. */
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
      const hasNewWidth = node.clientWidth !== widthBefore;
      widthBefore = node.clientWidth;
      // A new width is rendered within this frame, so that a layout for the old width is not painted.
      if (hasNewWidth) flushSync(measure);
      else measure();
    });
    observer.current.observe(node);
  }, []);
  return [ref, room ?? windowRoom()];
}
