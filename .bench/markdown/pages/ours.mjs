import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { createMarkdownSource } from "../../../src/text/markdown/markdown-source.ts";
import { MarkdownView } from "../../../src/text/markdown/markdown-view.tsx";
import { output, registerPage } from "./measure.mjs";

const source = createMarkdownSource();
/**
 * @param {Element} place
 * @param {import("react").ReactNode} view
 */
const show = (place, view) => flushSync(() => createRoot(place).render(view));
show(output, createElement(MarkdownView, { text: source }));

/** @param {Element} place */
function documentIn({ firstElementChild }) {
  if (!firstElementChild) throw new Error("The view of the text is empty.");
  const copy = firstElementChild.cloneNode(true);
  // A text that grew may stand there in several pieces.
  copy.normalize();
  return copy;
}

/**
 * Which parts the browser skips depends on what was in sight: the height that it is told of one, and how it is styled
 * then, are no part of the document.
 * @param {Element} element
 */
const isSkipped = (element) => element instanceof HTMLElement && element.style.containIntrinsicBlockSize !== "";

/** @param {Element} element */
const attributesOf = ({ attributes }) =>
  [...attributes]
    .map(({ name, value }) => (name === "style" && value === "" ? "" : `${name}="${value}"`))
    .sort()
    .join(" ")
    .trim();

/**
 * @param {Node} one
 * @param {Node} other
 * @returns {boolean}
 */
function isSame(one, other) {
  if (one.nodeName !== other.nodeName || one.nodeValue !== other.nodeValue) return false;
  if (one instanceof Element && other instanceof Element && !isSkipped(one) && !isSkipped(other)) {
    if (attributesOf(one) !== attributesOf(other)) return false;
  }
  const children = [...one.childNodes];
  return (
    children.length === other.childNodes.length &&
    children.every((child, at) => isSame(child, /** @type {Node} */ (other.childNodes[at])))
  );
}

registerPage({
  onText: source.append,
  onEnd: source.end,
  async check() {
    const whole = document.createElement("div");
    show(whole, createElement(MarkdownView, { text: source.text() }));
    for (let frame = 0; frame < 60; frame++) await new Promise(requestAnimationFrame);
    return isSame(documentIn(output), documentIn(whole));
  },
});
