import { Link } from "@tanstack/react-router";
import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { jobCharge } from "#api/charge-words.ts";
import type { JsonRecord } from "#lib/read.ts";
import { formatElapsed } from "#lib/time.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import { JobStatus } from "#runs/job-status.tsx";
import { type JobRecord, tookMs } from "#storage/job-records.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { Fact } from "#ui/fact.tsx";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast-store.ts";
import { jobCommands } from "./commands.ts";

interface JobFactListProps {
  job: JobRecord;
  /** It stands on the page of the job, which shows the status above it: no link to itself. */
  isJobPage?: boolean;
  /** What is said of the price where no charge is known. */
  priceIfUnknown: ReactNode;
  /** Stands below the price. */
  priceNote?: string;
  /** Further facts. */
  children?: ReactNode;
}

/** The facts of a job: status, model, what it was charged, times, id. */
export function JobFactList({ job, isJobPage = false, priceIfUnknown, priceNote, children }: JobFactListProps) {
  const { requestId, status, model, createdAtSeconds } = job;
  const charge = jobCharge(job) ?? priceIfUnknown;
  const took = tookMs(job);
  return (
    <dl className="m-0 grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-2">
      {!isJobPage && (
        <Fact name="Status">
          <JobStatus status={status} />
        </Fact>
      )}
      <Fact name="Model">
        {model ? (
          <Link to="/create/$modelId" params={{ modelId: model }} preload={false} className="wrap-anywhere underline">
            {visibleLine(model)}
          </Link>
        ) : (
          "—"
        )}
      </Fact>
      {charge && (
        <Fact name="Price">
          {charge}
          {priceNote && <span className="block text-ink-3">{priceNote}</span>}
        </Fact>
      )}
      {createdAtSeconds !== undefined && (
        <Fact name="Created">
          <Time seconds={createdAtSeconds} />
        </Fact>
      )}
      {took !== undefined && <Fact name="Took">{formatElapsed(took)}</Fact>}
      {children}
      <Fact name="Job ID">
        <span className="flex items-start gap-1">
          {isJobPage ? (
            <span className="wrap-anywhere min-w-0 font-mono text-[12px]">{requestId}</span>
          ) : (
            <Link
              to="/jobs/$requestId"
              params={{ requestId }}
              preload={false}
              className="wrap-anywhere min-w-0 font-mono text-[12px] underline"
            >
              {requestId}
            </Link>
          )}
          <CopyId isIcon requestId={requestId} />
        </span>
      </Fact>
    </dl>
  );
}

/** The parameters of a job, as they were sent. Empty ones are left out. */
export function PayloadTable({ payload }: { payload: JsonRecord }) {
  const entries = Object.entries(payload).filter(([, value]) => value !== null && value !== "");
  if (entries.length === 0) return null;
  return (
    <section aria-label="Parameters">
      <h2 className="m-0 mb-2 font-medium text-[12.5px]">Parameters</h2>
      <dl className="m-0 grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-2">
        {entries.map(([name, value]) => (
          <Fact key={name} name={visibleLine(name)}>
            <span dir="auto" className="wrap-anywhere block whitespace-pre-wrap">
              {shown(value)}
            </span>
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function shown(value: unknown): string {
  return visibleText(typeof value === "string" ? value : (JSON.stringify(value, null, 1) ?? ""));
}

/** Copies the id of a job. Shows that it did on the button, or a toast where the browser refuses. */
export function CopyId({ requestId, isIcon = false }: { requestId: string; isIcon?: boolean }) {
  const [isCopied, setIsCopied] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(requestId);
      setIsCopied(true);
    } catch {
      toast({
        title: "The browser did not allow copying",
        body: "Select the text and copy it by hand.",
        tone: "error",
      });
    }
  }
  const command = { ...jobCommands.copyId, icon: isCopied ? Check : Copy, run: () => void copy() };
  const word = isCopied ? "Copied" : command.label;
  return (
    <CommandButton
      variant="ghost"
      size={isIcon ? "sm" : undefined}
      isIcon={isIcon}
      title={command.label}
      command={isIcon ? { ...command, label: word } : command}
      onBlur={() => setIsCopied(false)}
    >
      {/* In a narrow pane its icon alone. */}
      <span className="@max-2xl:sr-only">{word}</span>
    </CommandButton>
  );
}
