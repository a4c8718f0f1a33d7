import { EyeOff } from "lucide-react";
import { localHold, mayBeOpened } from "#connection/relay.ts";
import { Button } from "#ui/button.tsx";
import { allowHost } from "../known-hosts.ts";

interface MediaHoldProps {
  url: string;
  host: string;
  /** `title`: words alone, for a small box, which may be a button itself; `icon`: no words, for a few pixels. */
  room?: "all" | "title" | "icon" | undefined;
}

/**
 * Shown in place of a file whose host the service has not named, or that is on this computer: nothing is asked of it before
 * a click that names it.
 */
export function MediaHold({ url, host, room = "all" }: MediaHoldProps) {
  const hold = localHold(url);
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center gap-1.5 overflow-hidden p-3 text-center text-ink-2">
      <EyeOff aria-hidden className="size-4 shrink-0 text-ink-3" />
      <p className={room === "icon" ? "sr-only" : "wrap-anywhere m-0 font-medium text-sm text-ink"}>
        {hold ? "File on this computer, at" : "External file from"} {host}
      </p>
      {room === "all" && (
        <>
          <p className="m-0 max-w-80 text-balance text-sm">
            {hold ? LOCAL_WORDS[hold] : `This file is hosted elsewhere. If you load it, ${host} can see your request.`}
          </p>
          {mayBeOpened(hold) && (
            <Button size="sm" className="mt-1 max-w-full" onClick={() => allowHost(url)}>
              <span className="truncate">Load from {host}</span>
            </Button>
          )}
        </>
      )}
    </div>
  );
}

const LOCAL_WORDS = {
  closed: "The service stores it with another program. Load it only if you know what runs there.",
  refused: "The connected service does not run on this computer alone, so Safelight does not load it.",
  own: "That is the Safelight server itself, which stores no files.",
};
