import { useEffect, useLayoutEffect, useRef } from "react";
import type { MarkdownSource } from "./markdown-source.ts";
import { createMarkdownSource } from "./markdown-source.ts";
import { showMarkdown } from "./show-markdown.ts";
import { warmUp } from "./warm-up.ts";
import "./markdown.css";
import "./caret.css";

/** Finished Markdown, safely: raw HTML is text, no picture is loaded without a click (reliability 1.4). */
export function MarkdownView({ text }: { text: string }) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!root.current) return;
    const source = createMarkdownSource();
    source.append(text);
    source.end();
    return showMarkdown(root.current, source);
  }, [text]);
  return <div ref={root} className="markdown" />;
}

/** Markdown that grows, written once per frame at most. Ends as the same document as `MarkdownView` of the whole text. */
export function StreamedMarkdown({ source }: { source: MarkdownSource }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(warmUp, []);
  useLayoutEffect(() => (root.current ? showMarkdown(root.current, source) : undefined), [source]);
  return <div ref={root} className="markdown" />;
}
