import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { output, registerPage } from "./measure.mjs";

/** @typedef {{ text: string, isEnded: boolean }} Shown */

/**
 * Draws `View` with each chunk, as its documentation shows.
 * @param {import("react").FunctionComponent<Shown>} View
 */
export function registerReactPage(View) {
  /** @type {import("react").Dispatch<import("react").SetStateAction<Shown>>} */
  let setState = () => undefined;
  function Page() {
    const [state, set] = useState({ text: "", isEnded: false });
    setState = set;
    return createElement(View, state);
  }
  createRoot(output).render(createElement(Page));
  registerPage({
    onText: (text) => setState((before) => ({ text: before.text + text, isEnded: false })),
    onEnd: () => setState(({ text }) => ({ text, isEnded: true })),
  });
}
