import { createRoot } from "react-dom/client";
import "/src/styles.css";
import { scrollThrough } from "../scroll-through.mjs";

/** Registers a page with one list: `mount` gives its element, `scroller` what is scrolled. */
export function registerList({ mount, scroller }) {
  window.bench = {
    async mount(count) {
      createRoot(document.getElementById("list")).render(mount(count));
      while (!scroller() || scroller().scrollHeight < 1e6) await new Promise(requestAnimationFrame);
      await document.fonts.ready;
    },
    scroll: (options) => scrollThrough(scroller(), options),
  };
}
