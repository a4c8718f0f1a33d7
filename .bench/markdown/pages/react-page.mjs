import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { output, registerPage } from "./measure.mjs";

/** Draws `View` ({ text, isEnded }) with each chunk, as its documentation shows. */
export function registerReactPage(View) {
  let setState;
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
