import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { createMarkdownSource } from "/src/chat/markdown/markdown-source.ts";
import { MarkdownView } from "/src/chat/markdown/markdown-view.tsx";
import { output, registerPage } from "./measure.mjs";

const source = createMarkdownSource();
const show = (place, view) => flushSync(() => createRoot(place).render(view));
show(output, createElement(MarkdownView, { text: source }));

registerPage({
  onText: source.append,
  onEnd: source.end,
  async check() {
    const whole = document.createElement("div");
    show(whole, createElement(MarkdownView, { text: source.text() }));
    for (let frame = 0; frame < 60; frame++) await new Promise(requestAnimationFrame);
    // Which groups the browser skips depends on what was in sight: that is no part of the document.
    const html = ({ firstChild }) => {
      const copy = firstChild.cloneNode(true);
      for (const group of copy.querySelectorAll(".md-group")) {
        group.classList.remove("md-still");
        group.removeAttribute("style");
      }
      return copy.innerHTML.replaceAll(' style=""', "");
    };
    return html(whole) === html(output);
  },
});
