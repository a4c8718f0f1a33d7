import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { RUN_AGAIN_TWICE } from "#api/charge-words.ts";
import {
  attemptsMoney,
  canRetry,
  type ItemState,
  type ItemView,
  itemCharge,
  sentJobId,
} from "#batch/runner/batch-views.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { formatClock } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { usePollTimes } from "#results/waiting/poll-times.ts";
import { useNow } from "#results/waiting/use-now.ts";
import { rangeText, type UsualTime } from "#results/waiting/usual-time.ts";
import { endReason } from "#runs/job-facts.ts";
import { runWords, statusWords } from "#runs/status-words.ts";
import { CHECKING } from "#runs/submit/submit-words.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import { Button } from "#ui/button.tsx";
import { Pill, StatusDot } from "#ui/indicators.tsx";
import { sheetCommands } from "../commands.ts";
import type { CaptionPart } from "./sheet-results.ts";

/** What all cells share. The same object while nothing in it changes, so that cells do not render again. */
export interface CellLook {
  captions: readonly CaptionPart[];
  usualOf: (model: string | undefined, kind?: string) => UsualTime | undefined;
  onRunAgain: (id: string) => void;
  onOpen: (id: string) => void;
}

interface CellStateProps {
  result: ItemView;
  look: CellLook;
  isTabStop: boolean;
}

/** The content of a cell without a result: the state of its run, its charge, and a way to run it again. */
export function CellState({ result, look, isTabStop }: CellStateProps) {
  const { state, item } = result;
  if (state.kind === "sent" && state.isRunning) return <Running result={result} look={look} />;
  const { word, tone } = runWords(state);
  const canRunAgain = canRetry(state) && item.priceMicroUsd !== undefined;
  return (
    <Centered>
      {state.kind === "draft" || state.kind === "waiting" ? (
        <span className="text-sm text-ink-3">{word}</span>
      ) : (
        <Pill tone={tone} className="max-w-full whitespace-normal! rounded-md!">
          {word}
        </Pill>
      )}
      <Charge view={result} />
      <Reason result={result} />
      {canRunAgain && (
        <Button
          size="sm"
          tabIndex={isTabStop ? 0 : -1}
          title={attemptsMoney(result).possible > 0 ? RUN_AGAIN_TWICE : undefined}
          onClick={() => look.onRunAgain(item.id)}
          className="tabular-nums @max-[9.375rem]:px-1.5"
        >
          <RotateCw aria-hidden className="size-3.5 @max-[10.625rem]:hidden" />
          {`${sheetCommands.runAgain.label} · ${formatMicroUsd(item.priceMicroUsd ?? 0)}`}
        </Button>
      )}
    </Centered>
  );
}

function Centered({ children }: { children: ReactNode }) {
  return (
    <div className="flex size-full flex-col items-center justify-center gap-2 overflow-hidden p-2 text-center text-sm">
      {children}
    </div>
  );
}

/** What is known of the charge of a run without a result. */
function Charge({ view }: { view: ItemView }) {
  const words = itemCharge(view);
  if (words === undefined) return null;
  return (
    <p title={words} className="m-0 line-clamp-2 text-ink-2 tabular-nums">
      {words}
    </p>
  );
}

function Reason({ result: { state, job } }: { result: ItemView }) {
  const words = getReason(state, job);
  if (words === undefined) return null;
  return (
    <p dir="auto" title={words} className="wrap-anywhere m-0 line-clamp-3 text-ink-2 @max-[9.375rem]:hidden">
      {words}
    </p>
  );
}

function getReason(state: ItemState, job: TrackedJob | undefined): string | undefined {
  switch (state.kind) {
    case "refused":
      return visibleLine(state.refusal.message, 200) || undefined;
    case "unconfirmed":
      return CHECKING;
    case "sent": {
      if (state.status === "success") return "No files returned.";
      const reason = endReason({ status: state.status, failureReason: job?.failureReason });
      return reason === undefined ? undefined : visibleLine(reason, 200);
    }
    default:
      return undefined;
  }
}

/** A running job: for how long it has run, how long it usually takes, and when its status was read. */
function Running({ result: { state, item, job }, look }: Omit<CellStateProps, "isTabStop">) {
  const nowMs = useNow();
  const { lastMs } = usePollTimes(sentJobId(state) ?? "");
  const usual = look.usualOf(item.request.model);
  const { word, tone } = statusWords(state.kind === "sent" ? state.status : "queued");
  return (
    <Centered>
      <span className="inline-flex items-center gap-2 font-medium text-ink tabular-nums">
        <StatusDot tone={tone} />
        {job ? `${word} ${formatClock(Math.max(0, nowMs - job.submittedAtMs))}` : word}
      </span>
      <span className="text-xs text-ink-2 leading-normal @max-[7.5rem]:hidden">
        {usual && `Usually ${rangeText(usual)}`}
        <span className="block text-ink-3 tabular-nums">
          {lastMs !== undefined && `Updated ${Math.max(0, Math.round((nowMs - lastMs) / 1000))} s ago`}
        </span>
      </span>
    </Centered>
  );
}
