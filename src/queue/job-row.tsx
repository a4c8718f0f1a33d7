import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { JobRequest } from "#api/types.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { useUsualTimes } from "#results/waiting/usual-time.ts";
import { jobPrompt } from "#runs/job-prompt.ts";
import { runWords, statusWords } from "#runs/status-words.ts";
import { CHECKING, openKind } from "#runs/submit/submit-words.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import { buttonClass } from "#ui/button.tsx";
import type { OpenSubmit } from "./queue-entries.ts";
import { AgoText, ElapsedText, RowLine, RowStatus, RowText, rowClass, TimeStrip } from "./queue-row.tsx";
import { JobPicture, KindIcon, type QueueSize, QueueTile, useModelKind } from "./queue-thumb.tsx";
import type { ShownPlace } from "./seen-results.ts";

/** The words of a job, or of a run that has none yet: its prompt, else its model. */
export function jobTitle({ model, payload }: { model: string | undefined; payload: JsonRecord | undefined }): string {
  return visibleLine(jobPrompt(payload) ?? model ?? "Unknown model", 120);
}

/** One job: leads to it, into the result of Create while that is on the screen. */
export function JobRow({
  job,
  isDone,
  size,
  shown,
  times,
  onOpen,
}: {
  job: TrackedJob;
  isDone: boolean;
  size: QueueSize;
  shown: ShownPlace;
  times: ReturnType<typeof useUsualTimes>;
  onOpen: () => void;
}) {
  const { requestId, status, model, submittedAtMs, finishedAtMs = 0 } = job;
  const { word, tone } = statusWords(status);
  const kind = useModelKind(model);
  const usual = isDone ? undefined : times.of(model, kind);
  const title = jobTitle(job);
  const reason = isDone && status !== "success" ? job.failureReason : undefined;
  const place = shown.modelId
    ? ({ to: "/create/$modelId", params: { modelId: shown.modelId }, search: { job: requestId } } as const)
    : ({ to: "/jobs/$requestId", params: { requestId } } as const);
  return (
    <Link
      {...place}
      preload={false}
      onClick={onOpen}
      aria-current={requestId === shown.requestId ? "true" : undefined}
      title={size === "rail" ? [title, reason && visibleLine(reason, 200)].filter(Boolean).join("\n") : undefined}
      className={rowClass(size)}
    >
      <QueueTile size={size} tone={tone}>
        <JobPicture job={job} />
      </QueueTile>
      <RowText size={size} title={title}>
        <RowLine size={size}>
          <RowStatus tone={tone} word={word} />
          {reason ? (
            <span className="truncate" dir="auto">
              {visibleLine(reason, 200)}
            </span>
          ) : isDone ? (
            <AgoText atMs={finishedAtMs} />
          ) : (
            <ElapsedText sinceMs={submittedAtMs} usual={usual} size={size} />
          )}
        </RowLine>
        {size === "sheet" && usual && <TimeStrip sinceMs={submittedAtMs} usual={usual} />}
      </RowText>
      {size === "sheet" &&
        (isDone ? (
          <span aria-hidden="true" className={buttonClass()}>
            View
          </span>
        ) : (
          <ChevronRight aria-hidden="true" className="mx-3 size-4 shrink-0 text-ink-3" />
        ))}
    </Link>
  );
}

/** A run without a job: on its way, or without a reply. What is known of its charge is said in full beside the form. */
export function SubmitRow({
  request,
  state,
  size,
  onOpen,
}: {
  request: JobRequest;
  state: OpenSubmit;
  size: QueueSize;
  onOpen: () => void;
}) {
  const { model } = request;
  const kind = useModelKind(model);
  const title = jobTitle(request);
  const stateKind = openKind(state);
  const words = runWords({ kind: stateKind });
  const text = stateKind === "unconfirmed" ? CHECKING : "";
  return (
    <Link
      to="/create/$modelId"
      params={{ modelId: model }}
      search={{}}
      // Without this the row is marked as the current one also beside the job that is shown.
      activeOptions={{ exact: true }}
      onClick={onOpen}
      title={size === "rail" ? [title, words.word, text].filter(Boolean).join("\n") : undefined}
      className={rowClass(size)}
    >
      <QueueTile size={size} tone={words.tone}>
        <KindIcon kind={kind} />
      </QueueTile>
      <RowText size={size} title={title}>
        <RowLine size={size}>
          <RowStatus {...words} />
          {text && <span className="truncate">{text}</span>}
        </RowLine>
      </RowText>
      {size === "sheet" && <ChevronRight aria-hidden="true" className="mx-3 size-4 shrink-0 text-ink-3" />}
    </Link>
  );
}
