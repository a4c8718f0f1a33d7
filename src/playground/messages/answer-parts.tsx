import { Braces, ChevronDown, type LucideIcon, Wrench } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import type { AnswerPart } from "#api/text/text-types.ts";
import { safeAddress } from "#lib/safe-link.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import { CodeBlock } from "#ui/code-block.tsx";
import { Notice } from "#ui/notice.tsx";
import { ConversationPicture } from "./picture-list.tsx";
import { proposesRuns } from "./proposals.ts";
import { RunsOfCall } from "./proposed-runs.tsx";

interface ResponsePartsProps {
  conversationId: string;
  parts: readonly AnswerPart[];
  isComing: boolean;
  /** Whether the commands of the palette act on this response. */
  isCommanded: boolean;
}

/**
 * The parts of a response besides its text: a refusal, tool calls, images, blocks of other kinds, and at the end the
 * sources that it names.
 */
export function ResponseParts({ parts, ...proposal }: ResponsePartsProps) {
  const keyed = parts.map((part, index) => ({ part, key: `${index} ${part.kind}` }));
  const calls = parts.filter(proposesRuns);
  const sources = keyed.flatMap(({ part, key }) => (part.kind === "citation" ? [{ ...part, key }] : []));
  return (
    <div className="flex flex-col gap-2 not-empty:mt-2">
      {keyed.map(({ part, key }) => (
        <Fragment key={key}>
          <PartBlock part={part} conversationId={proposal.conversationId} />
          {proposesRuns(part) && <RunsOfCall {...proposal} input={part.input} at={calls.indexOf(part)} />}
        </Fragment>
      ))}
      {sources.length > 0 && (
        <ol aria-label="Citations" className="m-0 flex list-decimal flex-col gap-1 pl-6 text-sm marker:text-ink-3">
          {sources.map(({ key, ...source }) => (
            <Source key={key} {...source} />
          ))}
        </ol>
      )}
    </div>
  );
}

function PartBlock({ part, conversationId }: { part: AnswerPart; conversationId: string }) {
  switch (part.kind) {
    case "refusal":
      return (
        <Notice tone="info" title="The model declined to respond" className="text-base leading-snug">
          {part.text !== "" && <p className="m-0 whitespace-pre-wrap">{visibleText(part.text)}</p>}
        </Notice>
      );
    case "tool-call":
      return (
        <Folded kind="Tool call" name={part.name} icon={Wrench}>
          {part.input === "" ? (
            <p className="m-0 text-sm text-ink-3">No arguments</p>
          ) : (
            <CodeBlock label="Arguments" text={visibleText(pretty(part.input))} />
          )}
          <p className="m-0 mt-2 text-sm text-ink-3">
            Safelight doesn’t run tools. Later messages include this call as text.
          </p>
        </Folded>
      );
    case "picture":
      return part.pictureId === undefined ? null : (
        <ConversationPicture
          conversationId={conversationId}
          picture={{ id: part.pictureId, name: "Image in the response", mimeType: part.mimeType }}
          className="w-full max-w-105"
        />
      );
    case "other":
      return (
        <Folded kind="Block" name={part.type} icon={Braces}>
          <CodeBlock label="Raw data" text={visibleText(part.json)} />
          <p className="m-0 mt-2 text-sm text-ink-3">
            This block is saved with the response. It isn’t sent to the model again.
          </p>
        </Folded>
      );
    case "citation":
      return null;
  }
}

/** A block that a press opens, with its name and its kind in the heading. */
function Folded({
  kind,
  name,
  icon: Icon,
  children,
}: {
  kind: string;
  name: string;
  icon: LucideIcon;
  children: ReactNode;
}) {
  return (
    <details className="group/fold rounded-md border border-line bg-panel text-ink-2">
      <summary className="flex min-h-8 cursor-pointer list-none items-center gap-2 px-3 py-1 text-sm text-ink-3 pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="wrap-anywhere min-w-0 font-medium font-mono text-ink">{visibleLine(name)}</span>
        <span className="me-auto shrink-0">{kind}</span>
        <ChevronDown
          aria-hidden
          className="size-3.5 shrink-0 transition-transform duration-150 group-open/fold:rotate-180"
        />
      </summary>
      <div className="border-line border-t px-3 py-2">{children}</div>
    </details>
  );
}

/** A source with the host to which its link really leads. A URL that is not safe is shown as text. */
function Source({ title, url, quote }: { title: string; url: string; quote: string }) {
  const address = safeAddress(url);
  const words = visibleLine(title) || visibleLine(address ? address.target + address.path : url);
  return (
    <li className="wrap-anywhere">
      {address ? (
        <a href={address.href} target="_blank" rel="noopener noreferrer nofollow" className="text-ink underline">
          {words}
        </a>
      ) : (
        words
      )}
      {title !== "" && (address ? <Quiet>{address.target}</Quiet> : url !== "" && <Quiet>{visibleLine(url)}</Quiet>)}
      {quote !== "" && <div className="text-sm text-ink-3">“{visibleLine(quote, 300)}”</div>}
    </li>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return <span className="ml-1.5 text-xs text-ink-3">{children}</span>;
}

/** Indents a text if it is JSON. A very long one stays as it is, because it would take too long. */
function pretty(text: string): string {
  if (text.length > 20_000) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
