import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight, ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { isFinal } from "#api/final-status.ts";
import type { Job, MediaItem } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { jobPrompt } from "#jobs/job-prompt.ts";
import { statusWords } from "#jobs/job-status.tsx";
import { NoResultReason, otherEndMoney } from "#jobs/no-result.tsx";
import { AsInput } from "#jobs/reuse/as-input.tsx";
import { useJob } from "#jobs/use-job.ts";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { WaitingTime } from "#jobs/waiting/waiting-time.tsx";
import { JobWireButton } from "#jobs/wire/job-wire-button.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import { deletionText, useDeletion, useIsMediaDeleted } from "#media/deleted-media.ts";
import { daysLeft, retentionText } from "#media/retention.ts";
import { MediaView, mediaAspect } from "#media/show/media-view.tsx";
import { useShownKind } from "#media/show/use-media-state.ts";
import { modelQueries } from "#models/model-queries.ts";
import { Button, buttonClass, IconButton } from "#ui/button.tsx";
import { Pill, Spinner } from "#ui/indicators.tsx";
import { Notice } from "#ui/notice.tsx";
import { ResultHeader } from "./result-header.tsx";

/** One job: its state, its media, its facts. */
export function ResultPanel({ requestId }: { requestId: string }) {
  const { job, tracked, error, refetch } = useJob(requestId);
  if (job === undefined && error) {
    return <ErrorNotice className="m-[18px]" error={error} operation="read" onRetry={refetch} />;
  }
  return (
    <>
      <ResultHeader job={job} tracked={tracked} />
      <ResultMedia job={job} tracked={tracked} />
      <ResultFooter requestId={requestId} job={job} tracked={tracked} />
    </>
  );
}

/** Room for the line under the media. */
const TOOLS_HEIGHT = 52;

/** The media of a job, one at a time, each in a box whose shape is known before it has loaded. */
function ResultMedia({ job, tracked }: { job: Job | undefined; tracked: TrackedJob | undefined }) {
  const [index, setIndex] = useState(0);
  const isDeleted = useIsMediaDeleted(job?.requestId ?? "");
  const item = job?.media[Math.min(index, job.media.length - 1)];
  if (job === undefined || item === undefined) return <ResultMessage job={job} tracked={tracked} />;

  const payload = job.payload ?? tracked?.payload;
  const count = job.media.length;
  const aspect = mediaAspect(item, payload);
  const step = (by: number) => setIndex((old) => (Math.min(old, count - 1) + by + count) % count);
  return (
    <div className="@container-size grid min-h-[320px] flex-1 place-items-center p-[22px]">
      <figure className="m-0" style={{ width: `min(100cqw, 840px, calc((100cqh - ${TOOLS_HEIGHT}px) * ${aspect}))` }}>
        <MediaView
          item={item}
          payload={payload}
          alt={jobPrompt(payload) ?? `Result ${index + 1}`}
          createdAtSeconds={job.createdAtSeconds}
          isDeleted={isDeleted}
          className="rounded-lg shadow-float"
        />
        <figcaption className="flex items-center justify-between gap-2 pt-3 tabular-nums">
          <UseAsInput item={item} requestId={job.requestId} />
          {count > 1 && (
            <span className="ml-auto flex items-center gap-1">
              <IconButton size="sm" label="Previous result" onClick={() => step(-1)}>
                <ChevronLeft aria-hidden="true" className="size-4" />
              </IconButton>
              {Math.min(index, count - 1) + 1} / {count}
              <IconButton size="sm" label="Next result" onClick={() => step(1)}>
                <ChevronRight aria-hidden="true" className="size-4" />
              </IconButton>
            </span>
          )}
          {!isFinal(job.status) && <span className="sr-only">More may follow</span>}
        </figcaption>
      </figure>
    </div>
  );
}

/** Gives the file that is shown to another model. Nothing for a file without an address of its own. */
function UseAsInput({ item, requestId }: { item: MediaItem; requestId: string }) {
  const [asked, setAsked] = useState<{ makes?: "video" }>();
  const isDeleted = useIsMediaDeleted(requestId);
  const kind = useShownKind(item);
  if (isDeleted || !/^https?:/i.test(item.url)) return null;
  return (
    <span className="flex gap-2">
      <Button size="sm" onClick={() => setAsked({})}>
        Use as input
      </Button>
      {kind === "image" && (
        <Button size="sm" onClick={() => setAsked({ makes: "video" })}>
          Animate with…
        </Button>
      )}
      {asked && <AsInput item={item} {...asked} onClose={() => setAsked(undefined)} />}
    </span>
  );
}

/** A job without media: still running, failed, cancelled, or finished with nothing to show. */
function ResultMessage({ job, tracked }: { job: Job | undefined; tracked: TrackedJob | undefined }) {
  const status = job?.status ?? tracked?.status ?? "queued";
  if (!isFinal(status)) return <Waiting job={job} tracked={tracked} status={status} />;

  const price = tracked?.priceMicroUsd === undefined ? undefined : formatMicroUsd(tracked.priceMicroUsd);
  const otherEnd = otherEndMoney(status, price);
  return (
    <div className="grid flex-1 place-items-center p-[22px]">
      <div className="w-full max-w-[520px]">
        {status === "failed" && (
          <Notice tone="error" title={price ? `Failed, refunded ${price}` : "Failed, refunded"}>
            <NoResultReason reason={job?.failureReason} requestId={job?.requestId} />
            {/* Spec 3: a failed job is refunded automatically and exactly. */}
            <p>The charge is refunded automatically and in full. Change the inputs and run again.</p>
          </Notice>
        )}
        {otherEnd !== undefined && (
          <Notice tone="error" title={statusWords(status).word}>
            <NoResultReason reason={job?.failureReason} requestId={job?.requestId} />
            <p>{otherEnd}</p>
          </Notice>
        )}
        {status === "cancelled" && (
          <Notice tone="info" title="Cancelled">
            {job?.failureReason && <NoResultReason reason={job.failureReason} requestId={job.requestId} />}
            <p>
              The service ended this job without a result. It does not say whether a cancelled job is refunded
              {price && `, so count ${price} as charged`}.
            </p>
          </Notice>
        )}
        {status === "success" && (
          <Notice tone="info" title="Finished without files">
            <p>
              The job succeeded and lists no media.{" "}
              {job && (
                <Link
                  to="/jobs/$requestId"
                  params={{ requestId: job.requestId }}
                  className="text-ink underline underline-offset-2"
                >
                  See the whole answer
                </Link>
              )}
            </p>
          </Notice>
        )}
      </div>
    </div>
  );
}

function Waiting({ job, tracked, status }: { job: Job | undefined; tracked: TrackedJob | undefined; status: string }) {
  const model = job?.model ?? tracked?.model;
  const makes = useModelType(model);
  const kind = makes === "video" || makes === "audio" ? makes : "image";
  const aspect = mediaAspect({ kind }, job?.payload ?? tracked?.payload);
  const startedAtMs = tracked?.submittedAtMs ?? (job?.createdAtSeconds && job.createdAtSeconds * 1000);
  return (
    <div className="@container-size grid min-h-[320px] flex-1 place-items-center p-[22px]">
      <div
        className="grid min-h-[240px] place-items-center rounded-lg border border-line bg-panel"
        style={{ aspectRatio: aspect, width: `min(100cqw, 640px, calc(100cqh * ${aspect}))` }}
      >
        <div className="flex flex-col items-center gap-2 p-4">
          <Spinner />
          <p className="m-0 font-medium">{statusWords(status).word}</p>
          <WaitingTime requestId={job?.requestId ?? tracked?.requestId ?? ""} model={model} sinceMs={startedAtMs} />
        </div>
      </div>
    </div>
  );
}

/** What a model makes, where its detail has been read; nothing is asked for the shape of a box. */
function useModelType(model: string | undefined): string | undefined {
  const queries = modelQueries(useApi());
  return useQuery({ ...queries.detail(model ?? ""), enabled: false }).data?.type;
}

const FACTS = 4;
const LONGEST = 24;

/** The facts of a job in a line: its short parameters, what was charged, how long its files are stored. */
function ResultFooter({
  requestId,
  job,
  tracked,
}: {
  requestId: string;
  job: Job | undefined;
  tracked: TrackedJob | undefined;
}) {
  const payload = job?.payload ?? tracked?.payload ?? {};
  // The prompt stands above the media.
  const prompt = jobPrompt(payload);
  const facts = shortFacts(payload)
    .filter(([, value]) => value.trim() !== prompt)
    .slice(0, FACTS);
  const price = tracked?.priceMicroUsd;
  const deletion = useDeletion(requestId);
  const days = job && !deletion && job.media.length > 0 ? daysLeft(job.createdAtSeconds, Date.now()) : undefined;
  return (
    <footer className="flex min-h-[46px] flex-wrap items-center gap-x-2 gap-y-1.5 border-line border-t px-[18px] py-2.5">
      {facts.map(([key, value]) => (
        <Pill key={key} title={key}>
          {/seed/i.test(key) ? `seed ${value}` : value}
        </Pill>
      ))}
      {price !== undefined && (
        <Pill>
          {job?.status === "failed" ? "refunded" : "charged"} {formatMicroUsd(price)}
        </Pill>
      )}
      {days !== undefined && <Pill>{retentionText(days)}</Pill>}
      {deletion && <Pill>{deletionText(deletion)}</Pill>}
      <code
        className="min-w-0 flex-1 basis-24 truncate text-right font-mono text-[12px] text-ink-3 max-sm:hidden"
        title={requestId}
      >
        {requestId}
      </code>
      <span className="flex max-sm:ml-auto">
        {job && <JobWireButton job={job} payload={tracked?.payload} variant="ghost" size="sm" />}
        <Link
          to="/jobs/$requestId"
          params={{ requestId }}
          className={buttonClass({ variant: "ghost", size: "sm", className: "-mr-2" })}
        >
          Open job
          <ArrowUpRight aria-hidden="true" className="size-4" />
        </Link>
      </span>
    </footer>
  );
}

function shortFacts(payload: Record<string, unknown>): [string, string][] {
  return Object.entries(payload)
    .filter(([, value]) => typeof value === "string" || typeof value === "number")
    .map(([key, value]): [string, string] => [key, String(value)])
    .filter(([, value]) => value !== "" && value.length <= LONGEST);
}
