import type { ProbeResult } from "#connection/probe-storage.ts";
import { StatusDot } from "#ui/status-dot.tsx";

/** How uploads and downloads travel. Said only where a page of its own cannot do it. */
export function StorageCheck({
  storage,
  onWhy,
}: {
  storage: { upload: ProbeResult; media: ProbeResult };
  /** Somebody wants to read the reason. */
  onWhy: () => void;
}) {
  const relayed = partsBy(storage, "relay");
  const blocked = partsBy(storage, "blocked");
  return (
    <>
      {relayed !== "" && (
        <Line onWhy={onWhy} text={`Storage does not allow ${relayed} from this page; using the relay`} />
      )}
      {blocked !== "" && (
        <Line onWhy={onWhy} text={`Storage does not allow ${blocked} from this page`} why={BLOCKED_REASON[blocked]} />
      )}
    </>
  );
}

const BLOCKED_REASON: Record<string, string> = {
  uploads: "Give inputs as public addresses instead.",
  downloads: "Files open in a new tab, where they can be saved under the storage's own name.",
  "uploads and downloads": "Give inputs as public addresses. Files open in a new tab, where they can be saved.",
};

/** Whether there is something to say about storage. */
export function hasStorageNote({ upload, media }: { upload: ProbeResult; media: ProbeResult }): boolean {
  return [upload, media].some((result) => result === "relay" || result === "blocked");
}

function Line({ text, why = RELAY_REASON, onWhy }: { text: string; why?: string | undefined; onWhy: () => void }) {
  return (
    <li className="grid grid-cols-[14px_1fr] items-start gap-x-2.5">
      <span className="flex h-5 items-center">
        <StatusDot tone="unconfirmed" label="Note:" />
      </span>
      <details onToggle={onWhy}>
        <summary className="flex cursor-pointer list-none gap-2.5">
          <span className="flex-1">{text}</span>
          <span className="text-ink-3 underline-offset-2 hover:underline">Why?</span>
        </summary>
        <p className="m-0 mt-1 text-ink-2">{why}</p>
      </details>
    </li>
  );
}

const RELAY_REASON =
  "The storage does not name this page in its CORS headers, so the browser keeps its answers from the page. This studio's own host fetches them instead and sends no key there.";

function partsBy({ upload, media }: { upload: ProbeResult; media: ProbeResult }, result: ProbeResult): string {
  return [upload === result && "uploads", media === result && "downloads"].filter(Boolean).join(" and ");
}
