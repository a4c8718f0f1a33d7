/** A block of code that scrolls on its own. A text area, because only a control scrolls by the keyboard everywhere. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const rows = Math.min(18, text.split("\n").length + 1);
  return (
    <textarea
      readOnly
      aria-label={label}
      rows={rows}
      wrap="off"
      spellCheck={false}
      value={text}
      className="block w-full resize-y rounded-md border border-line bg-well p-3 font-mono text-[12px] text-ink leading-[1.55]"
    />
  );
}
