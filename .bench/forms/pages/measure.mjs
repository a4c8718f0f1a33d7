import { makeSchema } from "../make-schema.mjs";

/**
 * @typedef {object} PageOffer
 * @property {(place: HTMLElement, schema: import("../make-schema.mjs").BenchSchema) => () => void} mount draws the form
 * and gives what takes it away
 * @property {(schema: import("../make-schema.mjs").BenchSchema) => number} [drawn] how many fields it draws; all of them
 * unless it says so
 * @property {() => void} [makeAll] makes the controls that the form puts off
 * @property {() => Record<string, unknown>} payload what it holds
 */

const afterPaint = () =>
  new Promise((resolve) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    }),
  );

const root = /** @type {HTMLElement} */ (document.getElementById("root"));
const STILL_FRAMES = 3;
const LONGEST_MS = 30_000;

const controls = () => root.querySelectorAll("input, select, textarea").length;

/** The fields whose names can be read on the page, in a text of their own or on a line of one. */
function namesInSight() {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  /** @type {Set<string>} */
  const names = new Set();
  while (texts.nextNode()) {
    for (const [name] of (texts.currentNode.nodeValue ?? "").matchAll(/^Parameter \d+$/gm)) names.add(name);
  }
  return names;
}

/**
 * Registers a page: ours and the peers' are watched alike.
 * @param {PageOffer} offer
 */
export function registerPage({ mount, drawn, makeAll = () => {}, payload }) {
  let takeAway = () => {};
  window.formPage = {
    payload,
    clear: () => takeAway(),
    // The schema is made here: its way into the page is no part of a form.
    async mount(fields, withAll = false) {
      const schema = makeSchema(fields);
      await document.fonts.ready;
      const start = performance.now();
      takeAway = mount(root, schema);
      if (withAll) makeAll();
      await afterPaint();
      const firstPaint = performance.now() - start;
      const expected = drawn?.(schema) ?? fields;
      for (let still = 0, before = -1; still < STILL_FRAMES; ) {
        const now = controls();
        const isWhole = now === before && namesInSight().size === expected;
        still = isWhole ? still + 1 : 0;
        before = now;
        await afterPaint();
        if (performance.now() - start > LONGEST_MS) {
          throw new Error(
            `After ${LONGEST_MS / 1000} s the names of ${namesInSight().size} fields can be read, of ${expected} that the form has.`,
          );
        }
      }
      return { firstPaint, controls: controls(), nodes: root.querySelectorAll("*").length };
    },
  };
}
