import { makeSchema } from "../make-schema.mjs";

const afterPaint = () =>
  new Promise((resolve) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    }),
  );

const controls = () => document.querySelectorAll("#root input, #root select, #root textarea").length;
const STILL_FRAMES = 3;

/**
 * Registers a page. `mount(root, schema)` draws the form and returns what takes it away; `isWhole()` says that the form
 * has every field it will have; `makeAll()` makes the controls that the form puts off; `payload()` gives what it holds.
 */
export function registerPage({ mount, isWhole = () => true, makeAll = () => {}, payload }) {
  let takeAway;
  window.bench = {
    payload,
    clear: () => takeAway(),
    // The schema is made here: its way into the page is no part of a form.
    async mount(fields, withAll = false) {
      const schema = makeSchema(fields);
      await document.fonts.ready;
      const start = performance.now();
      takeAway = mount(document.getElementById("root"), schema);
      if (withAll) makeAll();
      await afterPaint();
      const firstPaint = performance.now() - start;
      for (let still = 0, before = -1; still < STILL_FRAMES; ) {
        const now = controls();
        still = now === before && isWhole() ? still + 1 : 0;
        before = now;
        await afterPaint();
      }
      return { firstPaint, controls: controls(), nodes: document.querySelectorAll("#root *").length };
    },
  };
}
