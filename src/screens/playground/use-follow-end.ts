import { type RefObject, useEffect, useState } from "react";

/** Closer to the end than this, in pixels, the reader is at it. */
const NEAR = 48;

/** Keeps a scrolling pane at its end while the reader is there, and leaves it alone as soon as they scroll up. */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>) {
  const [isAtEnd, setIsAtEnd] = useState(true);
  useEffect(() => {
    const pane = scroller.current;
    if (!pane) return;
    let isFollowing = true;
    let lastTop = 0;
    const distance = () => pane.scrollHeight - pane.clientHeight - pane.scrollTop;
    const onScroll = () => {
      const isNear = distance() < NEAR;
      // Content that grows moves the end away without any scrolling up: that is still following.
      if (isNear) isFollowing = true;
      else if (pane.scrollTop < lastTop) isFollowing = false;
      lastTop = pane.scrollTop;
      setIsAtEnd(isNear || isFollowing);
    };
    const follow = () => {
      if (isFollowing) pane.scrollTop = pane.scrollHeight;
    };
    follow();
    pane.addEventListener("scroll", onScroll, { passive: true });
    const observer = typeof ResizeObserver === "undefined" ? undefined : new ResizeObserver(follow);
    observer?.observe(pane);
    if (pane.firstElementChild) observer?.observe(pane.firstElementChild);
    return () => {
      pane.removeEventListener("scroll", onScroll);
      observer?.disconnect();
    };
  }, [scroller]);
  return {
    isAtEnd,
    toEnd() {
      const pane = scroller.current;
      if (pane) pane.scrollTop = pane.scrollHeight;
    },
  };
}
