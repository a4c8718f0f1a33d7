import { useEffect, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { useRecentRequests } from "#connection/request-history.ts";
import { RequestHistoryTable } from "#connection/request-history-table.tsx";
import { saveBlob } from "#media/download/download-media.ts";
import { Button } from "#ui/button.tsx";
import { CodeBlock } from "#ui/code-block.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { type DiagnosticsContext, diagnosticsText, useDiagnosticsContext } from "./diagnostics.ts";

/** Shows every character of the file before it is saved. Nothing is sent anywhere. */
export function DiagnosticsPreview({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { connection, theme } = useDiagnosticsContext(useConnection());
  const text = useDiagnosticsText(open, connection, theme);
  function save() {
    if (text === undefined) return;
    const name = `safelight-diagnostics-${new Date().toISOString().slice(0, 10)}.json`;
    saveBlob(new Blob([text], { type: "application/json" }), name);
    onOpenChange(false);
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Save diagnostics"
      description="This is the whole file. It is saved on this device and not sent anywhere. It contains no key, prompt, payload, file name or signed address."
      size="lg"
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button variant="primary" disabled={text === undefined} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      {text === undefined ? (
        <p role="status" className="m-0 text-ink-3">
          Reading…
        </p>
      ) : (
        <CodeBlock text={text} label="Diagnostics" note={`${Math.ceil(text.length / 1000)} kB`} />
      )}
    </Dialog>
  );
}

/** Made once for each opening, so that what is saved is what was read. */
function useDiagnosticsText(
  open: boolean,
  connection: DiagnosticsContext["connection"],
  theme: DiagnosticsContext["theme"],
) {
  const [text, setText] = useState<string>();
  useEffect(() => {
    if (!open) return;
    let isCurrent = true;
    setText(undefined);
    void diagnosticsText({ connection, theme }).then((made) => {
      if (isCurrent) setText(made);
    });
    return () => {
      isCurrent = false;
    };
  }, [open, connection, theme]);
  return text;
}

/** Recent requests of the connected key. */
export function RequestList() {
  const requests = useRecentRequests(useConnection()?.accountId ?? "");
  if (requests === undefined) return null;
  return requests.length === 0 ? (
    <EmptyState title="No requests yet">Requests of this key appear here.</EmptyState>
  ) : (
    <RequestHistoryTable requests={requests} />
  );
}
