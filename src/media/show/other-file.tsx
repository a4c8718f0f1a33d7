import { Download, File } from "lucide-react";
import { useState } from "react";
import type { FileFacts, MediaItem } from "#api/types.ts";
import { visibleText } from "#lib/visible-text.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { toast } from "#ui/toast-store.ts";
import { downloadItem } from "../download/download-media.ts";
import { safeMediaUrl } from "../fetch-media.ts";
import { fileSize } from "../file-kind.ts";
import { FAILURE_WORDS } from "../media-failure.ts";

interface OtherFileProps {
  item: MediaItem;
  facts: FileFacts;
}

/**
 * The card of a file that is no picture, clip or sound: what it is, its size, and the ways to have it. A page or a
 * drawing with scripts in it is never shown here, and of a text no more than its beginning, as text.
 */
export function OtherFile({ item, facts }: OtherFileProps) {
  const [isBusy, setIsBusy] = useState(false);
  const address = safeMediaUrl(item.url);
  const bytes = facts.bytes ?? item.bytes;
  async function download() {
    setIsBusy(true);
    const outcome = await downloadItem(item).finally(() => setIsBusy(false));
    if (outcome.how === "opened") toast({ title: "Opened in a new tab", body: outcome.reason });
    if (outcome.how === "failed") toast({ tone: "error", ...FAILURE_WORDS[outcome.failure] });
  }
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center gap-1.5 overflow-hidden p-3 text-center text-sm text-ink-2">
      <File aria-hidden className="size-5 shrink-0 text-ink-3" />
      <p className="m-0 font-medium text-ink">
        {facts.label ?? "Unknown file type"}
        {bytes !== undefined && <span className="font-normal text-ink-3 tabular-nums"> {fileSize(bytes)}</span>}
      </p>
      {facts.text !== undefined && (
        <pre className="m-0 min-h-0 max-w-full shrink overflow-hidden whitespace-pre-wrap wrap-anywhere rounded-sm bg-raised px-2.5 py-1.5 text-left text-xs">
          {visibleText(facts.text).slice(0, 600)}
        </pre>
      )}
      <div className="mt-1 flex shrink-0 flex-wrap justify-center gap-2">
        <Button size="sm" busy={isBusy} onClick={() => void download()}>
          {!isBusy && <Download aria-hidden className="size-3.5" />}
          Download
        </Button>
        {address?.startsWith("http") && (
          <a href={address} target="_blank" rel="noopener noreferrer" className={buttonClass({ size: "sm" })}>
            Open in a new tab
          </a>
        )}
      </div>
    </div>
  );
}
