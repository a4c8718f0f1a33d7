import { useMemo } from "react";
import { safeAddress, showsTarget } from "#lib/safe-link.ts";
import { type HelpPart, LONGEST_HELP, readHelp } from "./read-help.ts";

/**
 * A small, safe part of Markdown for help texts, which are untrusted: paragraphs, lists, code, strong and emphasis, and
 * links whose host is shown. Images and HTML stay text; of a very long text the start is shown.
 */
export function SafeMarkdown({ text }: { text: string }) {
  const { blocks, shortenedFrom } = useMemo(() => readHelp(text), [text]);
  return (
    <span className="wrap-anywhere flex flex-col gap-1">
      {blocks.map(({ isItem, parts }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order.
        <span key={position} className={isItem ? "pl-3 -indent-3" : "whitespace-pre-line"}>
          {isItem && "• "}
          {parts.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <Part key={at} part={part} />
          ))}
        </span>
      ))}
      {shortenedFrom !== undefined && (
        <span className="text-ink-2">
          Shortened: {count(LONGEST_HELP)} of {count(shortenedFrom)} characters.
        </span>
      )}
    </span>
  );
}

const count = (characters: number) => characters.toLocaleString("en-US");

function Part({ part }: { part: HelpPart }) {
  switch (part.kind) {
    case "code":
      return <code className="font-mono text-[11.5px] text-ink-2">{part.text}</code>;
    case "strong":
      return <strong className="font-medium text-ink-2">{part.text}</strong>;
    case "emphasis":
      return <em>{part.text}</em>;
    case "link":
      return <HelpLink text={part.text} address={part.address} />;
    default:
      return part.text;
  }
}

/** A link with the host it leads to, unless its text is that; an address that is no good stays as text (H17). */
function HelpLink({ text, address }: { text: string; address: string }) {
  const safe = safeAddress(address);
  if (!safe) return `[${text}](${address})`;
  return (
    <a href={safe.href} target="_blank" rel="noopener noreferrer nofollow" className="underline">
      {text}
      {showsTarget(text, safe) ? "" : ` (${safe.target})`}
    </a>
  );
}
