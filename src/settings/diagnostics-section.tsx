import { Download, List } from "lucide-react";
import { useState } from "react";
import { CommandButton } from "#ui/command-button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { settingsCommands } from "./commands.ts";
import { DiagnosticsPreview, RequestList } from "./diagnostics-dialog.tsx";

/** Recent requests, and a file about them for somebody who helps. */
export function DiagnosticsSection() {
  const [shown, setShown] = useState<"requests" | "preview">();
  const close = (isOpen: boolean) => {
    if (!isOpen) setShown(undefined);
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="m-0 max-w-[60ch] text-ink-2">
        The last 200 requests of this key are stored in this browser, with endpoint, status and times. Their bodies are
        kept only until you close or reload this page.
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
      <DiagnosticsPreview open={shown === "preview"} onOpenChange={close} />
    </div>
  );
}
