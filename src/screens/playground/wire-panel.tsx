import { useState } from "react";
import { type ReplayLanguage, replayCode } from "#chat/replay-code.ts";
import { wireOf } from "#chat/wire-log.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { Tabs } from "#ui/tabs.tsx";
import { CodeBlock } from "./code-block.tsx";
import { copyText } from "./copy-text.ts";
import type { DialogBodyProps } from "./playground-dialogs.tsx";
import { WireExchangeView } from "./wire-exchange.tsx";

const TABS = [
  { value: "wire", label: "Request and response" },
  { value: "code", label: "Code" },
] as const;

const LANGUAGES = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
] as const;

/** What exactly went over the wire for one answer, with the key struck out, and code that sends the same again. */
export function WirePanel({ dialog }: DialogBodyProps<"wire">) {
  const [tab, setTab] = useState(dialog.tab);
  const [language, setLanguage] = useState<ReplayLanguage>("curl");
  const log = dialog.turnId === undefined ? undefined : wireOf(dialog.turnId);
  const last = log?.exchanges.at(-1);
  if (log === undefined || last === undefined) {
    return (
      <EmptyState title="Nothing to show">
        Requests and responses are kept in memory for as long as this page is open. Ask something, then look again.
      </EmptyState>
    );
  }
  const code = replayCode(language, { endpoint: log.endpoint, url: last.request.url, body: last.request.body });
  return (
    <Tabs label="View" tabs={TABS} value={tab} onChange={setTab} panelClassName="pt-3 flex flex-col gap-4">
      {tab === "wire" ? (
        log.exchanges.map((exchange, index) => (
          <WireExchangeView
            key={exchange.sentAtMs}
            exchange={exchange}
            attempt={log.exchanges.length > 1 ? index + 1 : undefined}
          />
        ))
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <Segmented label="Language" options={LANGUAGES} value={language} onChange={setLanguage} />
            <Button onClick={() => void copyText(code)}>Copy code</Button>
          </div>
          <CodeBlock text={code} label="Code" />
          <p className="m-0 text-[12px] text-ink-3">The key is read from the environment variable API_KEY.</p>
        </>
      )}
    </Tabs>
  );
}
