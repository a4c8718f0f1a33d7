import type { MarkdownSource } from "#chat/markdown/markdown-source.ts";
import { MarkdownView, StreamedMarkdown } from "#chat/markdown/markdown-view.tsx";

/** A finished text. */
export function AnswerText({ text }: { text: string }) {
  return (
    <div className="max-w-[72ch]">
      <MarkdownView text={text} />
    </div>
  );
}

/** A text that is still growing: written as it comes, without React. */
export function GrowingText({ source }: { source: MarkdownSource }) {
  return (
    <div className="max-w-[72ch]">
      <StreamedMarkdown source={source} />
    </div>
  );
}
