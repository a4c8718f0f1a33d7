import { Download, List } from "lucide-react";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { LazyMount, lazyNamed } from "#ui/lazy-named.tsx";

const DiagnosticsPreview = lazyNamed(() => import("./diagnostics-dialog.tsx"), "DiagnosticsPreview");
const RequestList = lazyNamed(() => import("./diagnostics-dialog.tsx"), "RequestList");

/** The last requests, and a file about them for somebody who helps. */
export function DiagnosticsSection() {
  const [shown, setShown] = useState<"requests" | "preview">();
  const close = (isOpen: boolean) => {
    if (!isOpen) setShown(undefined);
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="m-0 max-w-[60ch] text-ink-2">
        The last 200 requests of this key are kept in this browser: the endpoint, the answer’s status and the times.
        What they carried stays in memory until the page is closed or loaded again.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => setShown("requests")}>
          <List aria-hidden="true" className="size-4" />
          Show requests
        </Button>
        <Button size="sm" onClick={() => setShown("preview")}>
          <Download aria-hidden="true" className="size-4" />
          Save diagnostics
        </Button>
      </div>
      <Dialog open={shown === "requests"} onOpenChange={close} title="The last requests" size="lg">
        <LazyMount when={shown === "requests"}>
          <RequestList />
        </LazyMount>
      </Dialog>
      <LazyMount when={shown === "preview"}>
        <DiagnosticsPreview open={shown === "preview"} onOpenChange={close} />
      </LazyMount>
    </div>
  );
}
