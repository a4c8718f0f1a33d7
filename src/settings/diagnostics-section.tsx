import { useQuery } from "@tanstack/react-query";
import { Download, List } from "lucide-react";
import { useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { useRecentRequests } from "#connection/request-history.ts";
import { RequestHistoryTable } from "#connection/request-history-table.tsx";
import { formatNumber } from "#lib/numbers.ts";
import { saveBlob } from "#media/download/download-media.ts";
import { Button } from "#ui/button.tsx";
import { CodeBlock } from "#ui/code-block.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { settingsCommands } from "./commands.ts";
import { diagnosticsText } from "./diagnostics.ts";

/** Shows recent requests, and saves a diagnostics file for support. */
export function DiagnosticsSection() {
  const [shown, setShown] = useState<"requests" | "preview">();
  const close = () => setShown(undefined);
  return (
    <div className="flex flex-col gap-3">
      <p className="m-0 max-w-[60ch] text-ink-2">
        This browser saves the last 200 requests of this key with endpoint, status and times. Their bodies are saved
        only until you close or reload this tab.
      </p>
      <div className="flex flex-wrap gap-2">
        <CommandButton
          size="sm"
          command={{
            ...settingsCommands.requests,
            icon: List,
            run: () => setShown("requests"),
          }}
        >
          Show requests
        </CommandButton>
        <CommandButton
          size="sm"
          command={{
            ...settingsCommands.diagnostics,
            icon: Download,
            run: () => setShown("preview"),
          }}
        >
          Save diagnostics
        </CommandButton>
      </div>
      <Dialog open={shown === "requests"} onOpenChange={close} title="Recent requests" size="lg">
        <RequestList />
      </Dialog>
      {shown === "preview" && <DiagnosticsPreview onClose={close} />}
    </div>
  );
}

/** Shows every character of the file before it is saved. Nothing is sent anywhere. */
function DiagnosticsPreview({ onClose }: { onClose: () => void }) {
  const connection = useConnection();
  // Made once for each opening, so that the saved file is the one that was shown.
  const { data: text } = useQuery({
    queryKey: ["diagnostics"],
    queryFn: () => diagnosticsText(connection),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  function save() {
    if (text === undefined) return;
    const name = `safelight-diagnostics-${new Date().toISOString().slice(0, 10)}.json`;
    saveBlob(new Blob([text], { type: "application/json" }), name);
    onClose();
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Save diagnostics"
      description="This is the whole file. It stays on this device. It contains no key, prompt, settings, file name or signed URL."
      size="lg"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={text === undefined} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      {text === undefined ? (
        <p role="status" className="m-0 text-ink-3">
          Loading…
        </p>
      ) : (
        <CodeBlock text={text} label="Diagnostics" note={`${formatNumber(Math.ceil(text.length / 1000))} kB`} />
      )}
    </Dialog>
  );
}

/** Recent requests of the connected key. */
function RequestList() {
  const requests = useRecentRequests(useConnection()?.accountId ?? "");
  if (requests === undefined) return null;
  return requests.length === 0 ? (
    <EmptyState title="No requests yet">Requests of this key appear here.</EmptyState>
  ) : (
    <RequestHistoryTable requests={requests} />
  );
}
