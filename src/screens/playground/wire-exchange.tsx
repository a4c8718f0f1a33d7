import type { WireExchange } from "#chat/wire-log.ts";
import { CodeBlock } from "./code-block.tsx";

/** Events that are shown; the rest is counted. */
const MOST_EVENTS = 500;

/** One request and everything that came back for it. */
export function WireExchangeView({ exchange, attempt }: { exchange: WireExchange; attempt: number | undefined }) {
  const { request, response, events, end } = exchange;
  const shown = events.slice(0, MOST_EVENTS);
  return (
    <div className="flex flex-col gap-2">
      <h3 className="m-0 font-medium text-[12.5px]">{attempt === undefined ? "Request" : `Request ${attempt}`}</h3>
      <CodeBlock
        label="Request"
        text={`${request.method} ${request.url}\n${headerLines(request.headers)}\n\n${pretty(request.body)}`}
      />
      {response && (
        <>
          <h3 className="m-0 mt-1 font-medium text-[12.5px]">
            Response <span className="font-normal text-ink-3">after {seconds(response.atMs)}</span>
          </h3>
          <CodeBlock label="Response" text={`${response.status}\n${headerLines(response.headers)}`} />
        </>
      )}
      {events.length > 0 && (
        <>
          <h3 className="m-0 mt-1 font-medium text-[12.5px]">Events ({events.length.toLocaleString("en-US")})</h3>
          <CodeBlock
            label="Events"
            text={shown.map(({ atMs, name, data }) => `${seconds(atMs)}  ${name ? `${name}  ` : ""}${data}`).join("\n")}
          />
          {events.length > shown.length && (
            <p className="m-0 text-[12px] text-ink-3">
              {(events.length - shown.length).toLocaleString("en-US")} further events are not shown.
            </p>
          )}
        </>
      )}
      {end && (
        <p className="m-0 text-[12.5px] text-ink-2 tabular-nums">
          {seconds(end.atMs)}: {end.text}
        </p>
      )}
    </div>
  );
}

function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
