import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { CodeBlock } from "#ui/code-block.tsx";
import type { WireExchange } from "./wire-exchange.ts";

/** Events that are shown at first. */
const MOST_EVENTS = 500;

/** One request and everything that came back for it. */
export function WireExchangeView({ exchange }: { exchange: WireExchange }) {
  const { request, response, events, body, end, lostEvents = 0 } = exchange;
  const [most, setMost] = useState(MOST_EVENTS);
  const shown = events.slice(0, most);
  const sentBody = request.body === "" ? "" : `\n\n${pretty(request.body)}`;
  return (
    <div className="flex flex-col gap-2">
      <CodeBlock
        label="Request"
        text={`${request.method} ${request.url}\n${headerLines(request.headers)}${sentBody}`}
      />
      {response && (
        <CodeBlock
          label="Response"
          note={`after ${seconds(response.atMs - exchange.sentAtMs)}`}
          text={`${response.status}\n${headerLines(response.headers)}`}
        />
      )}
      {body && <CodeBlock label="Body" text={pretty(body)} />}
      {events.length > 0 && (
        <>
          <CodeBlock
            label="Events"
            note={`${events.length.toLocaleString("en-US")}, each with its time`}
            text={shown.map(({ atMs, name, data }) => `${seconds(atMs)}  ${name ? `${name}  ` : ""}${data}`).join("\n")}
          />
          {events.length > shown.length && (
            <Button size="sm" className="self-start" onClick={() => setMost(Number.POSITIVE_INFINITY)}>
              Show {(events.length - shown.length).toLocaleString("en-US")} further events
            </Button>
          )}
          {lostEvents > 0 && (
            <p className="m-0 text-[12px] text-ink-3">
              {lostEvents.toLocaleString("en-US")} further events were too many to keep.
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

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
