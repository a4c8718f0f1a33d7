import { createRoot } from "react-dom/client";
import "../../../src/styles.css";
import { TABLE_ROW_HEIGHT } from "../../../src/history/list-layout.ts";
import { scrollThrough } from "../scroll-through.mjs";

const LONGEST_MS = 60_000;

/**
 * Registers a page with one list: `mount` gives its element, `scroller` what is scrolled.
 * @param {object} list
 * @param {(count: number) => import("react").ReactNode} list.mount
 * @param {string} list.scroller as a selector
 */
export function registerList({ mount, scroller }) {
  const find = () => document.querySelector(scroller);
  const list = () => {
    const found = find();
    if (!found) throw new Error(`The list is no longer there as "${scroller}".`);
    return found;
  };
  window.listPage = {
    async mount(count) {
      const since = performance.now();
      createRoot(/** @type {HTMLElement} */ (document.getElementById("list"))).render(mount(count));
      // A browser lays out no more than some millions of pixels.
      const height = Math.min(count * TABLE_ROW_HEIGHT, 1e6);
      while ((find()?.scrollHeight ?? 0) < height) {
        await new Promise(requestAnimationFrame);
        if (performance.now() - since < LONGEST_MS) continue;
        const seen = find() ? `${find()?.scrollHeight} px high` : `not there as "${scroller}"`;
        throw new Error(`After ${LONGEST_MS / 1000} s the list is ${seen}, and ${count} rows take ${height} px.`);
      }
      await document.fonts.ready;
    },
    scroll: (options) => scrollThrough(list(), options),
  };
}
