import { type ReactNode, useState } from "react";
import { CodeBlock } from "#ui/code-block.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { Tabs } from "#ui/tabs.tsx";
import type { WireExchange } from "./wire-exchange.ts";
import { seconds, WireExchangeView } from "./wire-exchange-view.tsx";

export type WireTab = "wire" | "code";
export type ReplayLanguage = "curl" | "typescript" | "python";

const TABS = [
  { value: "wire", label: "Request and response" },
  { value: "code", label: "Code" },
] as const;

const LANGUAGES = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
] as const;

/** What exactly went over the wire, with the key struck out, and code that does the same again. */
export function WirePanel({
  exchanges,
  replay,
  startTab = "wire",
  missing,
  note,
}: {
  exchanges: readonly WireExchange[];
  /** The code for a language; undefined where what it would send is not known. */
  replay: ((language: ReplayLanguage) => string) | undefined;
  startTab?: WireTab;
  /** Said in place of the exchanges where there are none. */
  missing: string;
  /** Said above them. */
  note?: ReactNode;
}) {
  const [tab, setTab] = useState<WireTab>(startTab);
  const [language, setLanguage] = useState<ReplayLanguage>("curl");
  return (
    <Tabs label="View" tabs={TABS} value={tab} onChange={setTab} panelClassName="pt-3 flex flex-col gap-3">
      {tab === "wire" ? (
        <>
          {note && <p className="m-0 text-[12.5px] text-ink-3">{note}</p>}
          {exchanges.length === 0 && <EmptyState title="Nothing to show here">{missing}</EmptyState>}
          {exchanges.length === 1 && exchanges[0] && <WireExchangeView exchange={exchanges[0]} />}
          {exchanges.length > 1 &&
            exchanges.map((exchange, index) => (
              <details
                key={`${exchange.sentAtMs} ${exchange.times ?? 1} ${exchange.request.method} ${exchange.request.url}`}
                open={index === exchanges.length - 1}
                className="rounded-md border border-line px-3 py-2 open:pb-3"
              >
                <summary className="wrap-anywhere cursor-pointer text-[12.5px] tabular-nums open:mb-2">
                  <Summary exchange={exchange} />
                </summary>
                <div className="pt-2.5">
                  <WireExchangeView exchange={exchange} />
                </div>
              </details>
            ))}
        </>
      ) : replay === undefined ? (
        <EmptyState title="No code for this">{missing}</EmptyState>
      ) : (
        <>
          <Segmented label="Language" options={LANGUAGES} value={language} onChange={setLanguage} />
          <CodeBlock text={replay(language)} label="Code" />
          <p className="m-0 text-[12px] text-ink-3">The key is read from the environment variable API_KEY.</p>
        </>
      )}
    </Tabs>
  );
}

/** One line for a request: what, with which status, when, and how often. */
function Summary({ exchange }: { exchange: WireExchange }) {
  const { request, response, sentAtMs, times } = exchange;
  return (
    <>
      <span className="font-mono text-[12px]">
        {request.method} {new URL(request.url).pathname}
      </span>{" "}
      <span className="text-ink-3">
        {response ? response.status : "no answer"}, at {seconds(sentAtMs)}
        {times !== undefined && `, ${times.toLocaleString("en-US")} times with the same answer`}
      </span>
    </>
  );
}
