import { useEffect } from "react";

const APART_SECONDS = 0.05;

/** Keeps the clips below a node at one moment: what one of them does, the others do. The node may come later. */
export function useLockedClips(node: HTMLElement | null): void {
  useEffect(() => {
    if (!node) return;
    const follow = (event: Event) => {
      const leader = event.target;
      if (!(leader instanceof HTMLVideoElement)) return;
      // A shorter clip waits at its end for the others, and leads none of them there.
      if (event.type !== "play" && leader.currentTime >= leader.duration) return;
      const others = [...node.querySelectorAll("video")].filter((video) => video !== leader);
      for (const video of others) {
        const wanted = Math.min(
          leader.currentTime,
          Number.isFinite(video.duration) ? video.duration : leader.currentTime,
        );
        if (Math.abs(video.currentTime - wanted) > APART_SECONDS) video.currentTime = wanted;
        // Also when the longest begins again.
        if (!leader.paused && video.paused && wanted < video.duration) video.play()?.catch(() => undefined);
        if (event.type === "pause" && !video.paused) video.pause();
      }
    };
    const events = ["play", "pause", "seeked"];
    // Events of media do not bubble, but they are seen on the way down.
    for (const name of events) node.addEventListener(name, follow, true);
    return () => {
      for (const name of events) node.removeEventListener(name, follow, true);
    };
  }, [node]);
}
