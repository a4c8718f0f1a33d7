import { type ReactNode, useState } from "react";
import { SAMPLE_LANGUAGES, type SampleLanguage } from "#api/samples/code-samples.ts";
import { counted, formatDecimals, formatNumber } from "#lib/numbers.ts";
import { redactAddresses } from "#lib/redact-secret.ts";
import { Button } from "#ui/button.tsx";
import { CodeBlock } from "#ui/code-block.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { Tabs } from "#ui/tabs.tsx";
import type { LoggedExchange } from "./request-log.ts";

const TABS = [
  { value: "wire", label: "Request and response" },
  { value: "code", label: "Code" },
] as const;
export type RequestLogTab = (typeof TABS)[number]["value"];

/** Requests and responses exactly as they were sent, with the key redacted, and code that sends the last one again. */
export function RequestLogView({
  exchanges,
  replay,
  startTab = "wire",
  missing,
  note,
  earlier,
}: {
  exchanges: readonly LoggedExchange[];
  /** Makes the code for a language; undefined where the request is not known. */
  replay: ((language: SampleLanguage) => string) | undefined;
  startTab?: RequestLogTab;
  /** Shown in place of the exchanges where there are none. */
  missing: string;
  /** Shown above the exchanges. */
  note?: ReactNode;
  /** Shown below the exchanges: requests that an earlier page load sent. */
  earlier?: ReactNode;
}) {
  const [tab, setTab] = useState<RequestLogTab>(startTab);
  const [language, setLanguage] = useState<SampleLanguage>("curl");
  return (
    <Tabs label="View" tabs={TABS} value={tab} onChange={setTab} panelClassName="pt-3 flex flex-col gap-3">
      {tab === "wire" ? (
        <>
          {note && <p className="m-0 text-sm text-ink-3">{note}</p>}
          {exchanges.length === 0 && !earlier && <EmptyState title="Nothing to show">{missing}</EmptyState>}
          {exchanges.length === 1 && exchanges[0] && <ExchangeView exchange={exchanges[0]} />}
          {exchanges.length > 1 &&
            exchanges.map((exchange, index) => (
              <details
                key={`${exchange.sentAtMs} ${exchange.repeatCount ?? 1} ${exchange.request.method} ${exchange.request.url}`}
                open={index === exchanges.length - 1}
                className="rounded-md border border-line px-3 py-2 open:pb-3"
              >
                <summary className="wrap-anywhere cursor-pointer text-sm tabular-nums open:mb-2">
                  <Summary exchange={exchange} />
                </summary>
                <div className="pt-2.5">
                  <ExchangeView exchange={exchange} />
                </div>
              </details>
            ))}
          {earlier}
        </>
      ) : replay === undefined ? (
        <EmptyState title="No code for this request">{missing}</EmptyState>
      ) : (
        <>
          <Segmented label="Language" options={SAMPLE_LANGUAGES} value={language} onChange={setLanguage} />
          <CodeBlock text={replay(language)} label="Code" />
          <p className="m-0 text-xs text-ink-3">Set the API_KEY environment variable first.</p>
        </>
      )}
    </Tabs>
  );
}

/** One line for a request: method, path, status, time, and how often it was sent. */
function Summary({ exchange }: { exchange: LoggedExchange }) {
  const { request, response, sentAtMs, repeatCount } = exchange;
  return (
    <>
      <span className="font-mono text-xs">
        {request.method} {new URL(request.url).pathname}
      </span>{" "}
      <span className="text-ink-3">
        {response ? response.status : "no response"}, at {seconds(sentAtMs)}
        {repeatCount !== undefined && `, ${formatNumber(repeatCount)} times with the same response`}
      </span>
    </>
  );
}

/** Events that are shown at first. */
const MAX_EVENTS = 500;

/** One request and everything that came back for it. */
function ExchangeView({ exchange }: { exchange: LoggedExchange }) {
  const { request, response, events, body, end, lostEvents = 0 } = exchange;
  const [limit, setLimit] = useState(MAX_EVENTS);
  const shown = events.slice(0, limit);
  const sentBody = request.body === "" ? "" : `\n\n${pretty(request.body)}`;
  return (
    <div className="flex flex-col gap-2">
      <CodeBlock
        label="Request"
        text={redactAddresses(`${request.method} ${request.url}\n${headerLines(request.headers)}${sentBody}`)}
      />
      {response && (
        <CodeBlock
          label="Response"
          note={`after ${seconds(response.atMs - exchange.sentAtMs)}`}
          text={`${response.status}\n${headerLines(response.headers)}`}
        />
      )}
      {body && <CodeBlock label="Body" text={redactAddresses(pretty(body))} />}
      {events.length > 0 && (
        <>
          <CodeBlock
            label="Events"
            note={`${formatNumber(events.length)}, each with its time`}
            text={shown.map(({ atMs, name, data }) => `${seconds(atMs)}  ${name ? `${name}  ` : ""}${data}`).join("\n")}
          />
          {events.length > shown.length && (
            <Button size="sm" className="self-start" onClick={() => setLimit(Number.POSITIVE_INFINITY)}>
              Show {counted(events.length - shown.length, "more event")}
            </Button>
          )}
          {lostEvents > 0 && <p className="m-0 text-xs text-ink-3">{counted(lostEvents, "more event")} not saved.</p>}
        </>
      )}
      {end && (
        <p className="m-0 text-sm text-ink-2 tabular-nums">
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
  return `${formatDecimals(ms / 1000, 3)} s`;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
