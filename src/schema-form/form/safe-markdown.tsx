import { Fragment, type ReactNode } from "react";

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g;

function safeLink(label: string, address: string): ReactNode {
  if (!URL.canParse(address)) return label;
  const { host } = new URL(address);
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" className="underline">
      {label}
      {label.includes(host) ? "" : ` (${host})`}
    </a>
  );
}

function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [matched, code, strong, emphasis, label, address] = match;
    parts.push(text.slice(at, match.index));
    const key = match.index;
    if (code !== undefined)
      parts.push(
        <code key={key} className="font-mono text-[11.5px] text-ink-2">
          {code}
        </code>,
      );
    else if (strong !== undefined)
      parts.push(
        <strong key={key} className="font-medium text-ink-2">
          {strong}
        </strong>,
      );
    else if (emphasis !== undefined) parts.push(<em key={key}>{emphasis}</em>);
    else if (label !== undefined && address !== undefined)
      parts.push(<Fragment key={key}>{safeLink(label, address)}</Fragment>);
    at = match.index + matched.length;
  }
  return [...parts, text.slice(at)];
}

/**
 * A small, safe part of Markdown for help texts, which are untrusted: paragraphs, lists, code, strong
 * and emphasis, and links whose host is shown. Images and HTML stay text.
 */
export function SafeMarkdown({ text }: { text: string }) {
  const blocks = text.replace(/\r/g, "").split(/\n{2,}|\n(?=\s*[-*•] )|(?<=\n\s*[-*•] .*)\n/);
  return (
    <span className="flex flex-col gap-1">
      {blocks
        .map((block, position) => ({ block, id: `block${position}` }))
        .map(({ block, id }) => {
          const item = block.match(/^\s*[-*•]\s+(.*)$/s)?.[1];
          return (
            <span key={id} className={item === undefined ? "" : "pl-3 -indent-3"}>
              {item === undefined ? inline(block) : ["• ", ...inline(item)]}
            </span>
          );
        })}
    </span>
  );
}
