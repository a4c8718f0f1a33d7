// The rows of the queue: of a job, of a run without a job, and of an upload; and the parts that they share.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import {
  AudioLines,
  ChevronRight,
  Clapperboard,
  Copy,
  File,
  FileUp,
  Image,
  type LucideIcon,
  Sparkles,
  X,
} from "lucide-react";
import type { ReactNode } from "react";
import { isFinal } from "#api/jobs.ts";
import type { JobRequest, MediaItem, MediaKind } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { LocalHoldError } from "#connection/relay.ts";
import type { JsonRecord } from "#lib/read.ts";
import { formatAge, formatClock } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { useBlockedHost } from "#media/known-hosts.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { MediaInputPreview, useObjectUrl } from "#media/upload/media-input.tsx";
import { UploadBar, uploadShare, uploadWords } from "#media/upload/upload-line.tsx";
import { isUnderWay, type Upload, wantField } from "#media/upload/upload-store.ts";
import { getAccountUploads, uploadProblem } from "#media/upload/uploads.ts";
import { modelQueries } from "#models/model-queries.ts";
import { useExpectedResult } from "#results/waiting/expected-result.ts";
import { timeScale } from "#results/waiting/time-scale.ts";
import { useNow } from "#results/waiting/use-now.ts";
import { rangeText, type UsualTime, type useUsualTimes } from "#results/waiting/usual-time.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { runWords, statusWords } from "#runs/status-words.ts";
import { CHECKING, openKind } from "#runs/submit/submit-words.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import { Button, buttonClass, IconButton } from "#ui/button.tsx";
import { copyText } from "#ui/code-block.tsx";
import { commandFor, useCommands } from "#ui/commands.ts";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";
import { queueCommands } from "./commands.ts";
import type { OpenSubmit, ShownPlace } from "./queue-entries.ts";

/** Rows are small in the rail and large in the sheet of a phone. */
export type QueueSize = "rail" | "sheet";

interface TileProps {
  size: QueueSize;
  /** The status dot on the tile while the rail is folded: then only assistive technology has the words. */
  tone?: StatusTone | undefined;
  /** The row stands for several runs, so the tile looks like a stack. */
  isStack?: boolean | undefined;
  children: ReactNode;
}

/** The square at the start of a row. */
export function QueueTile({ size, tone, isStack = false, children }: TileProps) {
  return (
    <span
      aria-hidden="true"
      className={clsx("relative isolate block shrink-0", size === "rail" ? "size-9.5" : "size-13.5")}
    >
      {isStack && (
        <>
          <span className="absolute inset-x-2 -top-1.5 -z-10 h-2 rounded-t-sm bg-hover opacity-60" />
          <span className="absolute inset-x-1 -top-0.75 -z-10 h-2 rounded-t-sm bg-line-strong" />
        </>
      )}
      <span
        className={clsx(
          "absolute inset-0 grid place-items-center overflow-hidden bg-raised text-ink-2 forced-colors:border",
          size === "rail" ? "rounded-sm" : "rounded-md",
        )}
      >
        {children}
      </span>
      {tone && size === "rail" && (
        <span className="absolute -end-0.75 -bottom-0.75 hidden rounded-full bg-canvas p-0.75 folded:block">
          <StatusDot tone={tone} />
        </span>
      )}
    </span>
  );
}

const ICONS: Record<MediaKind, LucideIcon> = { image: Image, video: Clapperboard, audio: AudioLines, other: File };

/** What a model makes: as its catalog entry says where that was read, else as its last result shows. Sends no request. */
export function useModelKind(model: string | undefined): MediaKind | undefined {
  const detail = useQuery({ ...modelQueries(useApi()).detail(model ?? ""), enabled: false }).data;
  const tracked = useTrackedJobs();
  const reported = KINDS.find((kind) => kind === detail?.type);
  return reported ?? tracked.find((job) => job.model === model && job.media[0])?.media[0]?.kind;
}

const KINDS: readonly MediaKind[] = ["image", "video", "audio"];

/** The icon of what a job makes; another one where that is not known. */
export function KindIcon({ kind }: { kind: MediaKind | undefined }) {
  const Icon = kind ? ICONS[kind] : Sparkles;
  return <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />;
}

/** A job as a small image: its result, or its input faintly while it runs, or else the icon of its kind. */
export function JobPicture({ job }: { job: TrackedJob }) {
  const { input } = useExpectedResult(job.model, job.payload);
  const kind = useModelKind(job.model);
  const isDeleted = useIsMediaDeleted(job.requestId);
  const result = job.media[0];
  if (result && (result.kind === "image" || result.kind === "video")) {
    return (
      <span className="absolute inset-0">
        <CachedThumb item={result} alt="" createdAtSeconds={job.createdAtSeconds} isDeleted={isDeleted} isSmall />
      </span>
    );
  }
  if (result) return <KindIcon kind={result.kind} />;
  if (input && !isFinal(job.status)) return <FaintInput {...input} />;
  return <KindIcon kind={kind} />;
}

/** An input, shown faintly. It is loaded only where its host was allowed before: a row of the queue does not ask. */
function FaintInput({ url, kind }: Pick<MediaItem, "url" | "kind">) {
  if (useBlockedHost(url) !== undefined) return <KindIcon kind={kind} />;
  return (
    <MediaThumb item={{ id: url, url, kind }} alt="" isSmall className="absolute inset-0 opacity-55 saturate-75" />
  );
}

/** The classes of a row. In a folded rail only its tile is visible, and assistive technology still has the words. */
export function rowClass(size: QueueSize): string {
  return size === "rail"
    ? "group/row flex w-full min-w-0 items-center gap-2.5 rounded-md border-0 bg-transparent p-1.75 px-2 text-start text-ink transition-[background-color] duration-150 hover:bg-hover aria-[current]:bg-raised forced-colors:aria-[current]:outline-2 folded:justify-center folded:px-0 folded:py-1.25"
    : "flex min-h-18.5 w-full min-w-0 items-center gap-3.25 border-0 bg-transparent py-2.5 text-start text-ink";
}

interface RowTextProps {
  size: QueueSize;
  title: string;
  /** The words under it, and a bar where there is one. */
  children: ReactNode;
}

/** What a row says: a title in one line, and what is known under it. */
export function RowText({ size, title, children }: RowTextProps) {
  return (
    <span className={clsx("min-w-0 flex-1", size === "rail" && "folded:sr-only")}>
      <span
        dir="auto"
        className={clsx(
          "block truncate text-left font-medium",
          size === "rail" ? "text-sm leading-snug" : "text-base leading-snug",
        )}
      >
        {title}
      </span>
      {children}
    </span>
  );
}

/** The line under a title. Its height is fixed, so that a change in it moves nothing else. */
export function RowLine({ size, children }: { size: QueueSize; children: ReactNode }) {
  return (
    <span
      className={clsx(
        "flex min-w-0 items-center whitespace-nowrap text-ink-3 tabular-nums",
        size === "rail" ? "min-h-4 gap-1.5 text-xs leading-snug" : "min-h-4.5 gap-2 text-sm leading-snug",
      )}
    >
      {children}
    </span>
  );
}

const WORD_COLORS: Record<StatusTone, string> = {
  queued: "text-queued",
  success: "text-success",
  failed: "text-failed",
  cancelled: "text-cancelled",
  unconfirmed: "text-unconfirmed",
};

/** A status: its dot and its word. */
export function RowStatus({ tone, word }: { tone: StatusTone; word: string }) {
  return (
    <span
      className={clsx(
        "inline-flex max-w-full shrink-0 items-center gap-1.5 forced-colors:text-[CanvasText]",
        WORD_COLORS[tone],
      )}
    >
      <StatusDot tone={tone} className="[&>span]:size-1.5 [&>span]:ring-0" />
      <span className="truncate">{word}</span>
    </span>
  );
}

/** The elapsed and the usual time: "0:42 · 1–3 min". A component of its own, since it renders each second. */
function ElapsedText({ sinceMs, usual, size }: { sinceMs: number; usual: UsualTime | undefined; size: QueueSize }) {
  const elapsed = formatClock(useNow() - sinceMs);
  if (size === "sheet") {
    return (
      <>
        <span>{elapsed}</span>
        {usual && <span className="truncate">usually {rangeText(usual, "–")}</span>}
      </>
    );
  }
  return (
    // A range that does not fit wraps into a second line, which is hidden.
    <span className="flex h-4 min-w-0 flex-1 flex-wrap overflow-hidden">
      {elapsed}
      {usual && <span className="whitespace-pre"> · {rangeText(usual, "–")}</span>}
    </span>
  );
}

const MINUTE_MS = 60_000;

/** How long ago something was: "12 s ago", "4 min ago". */
function AgoText({ atMs }: { atMs: number }) {
  const nowMs = useNow();
  const passedMs = Math.max(0, nowMs - atMs);
  return <span>{passedMs < MINUTE_MS ? `${Math.floor(passedMs / 1000)} s ago` : formatAge(atMs / 1000, nowMs)}</span>;
}

/** The elapsed time against the usual range, as a thin scale. It is no progress: the service reports none. */
function TimeStrip({ sinceMs, usual }: { sinceMs: number; usual: UsualTime }) {
  const { low, high, now } = timeScale(useNow() - sinceMs, usual);
  return (
    <span
      aria-hidden="true"
      className="relative mt-2 mb-1 block h-1 rounded-full bg-line forced-colors:bg-[Canvas] forced-colors:outline"
    >
      <span
        className="absolute inset-y-0 rounded-full bg-queued/36 forced-colors:bg-[Highlight]"
        style={{ left: `${low}%`, width: `${high - low}%` }}
      />
      <span
        className="absolute -top-0.75 h-2.5 w-0.75 -translate-x-1/2 rounded-full bg-ink ring-2 ring-panel forced-colors:bg-[CanvasText]"
        style={{ left: `clamp(2px, ${now}%, calc(100% - 2px))` }}
      />
    </span>
  );
}

/** The title of a job, or of a run without one: its prompt, else its model. */
function jobTitle({ model, payload }: { model: string | undefined; payload: JsonRecord | undefined }): string {
  return visibleLine(jobPrompt(payload) ?? model ?? "Unknown model", 120);
}

/** The row of a job. A press opens the job: beside the form while Create is on the screen, else on its own page. */
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

/** The row of a run without a job: on its way, or without a response. The form says in full what is known of its charge. */
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
      // Otherwise the row would be marked as the current one while a job of the same model is shown.
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

/** The row of an upload: how far it is. A press leads to the field of the file, or to its form where the field is gone. */
export function UploadRow({ upload, size, onOpen }: { upload: Upload; size: QueueSize; onOpen: () => void }) {
  const { id, modelId, label, file, state, accountId } = upload;
  const uploads = getAccountUploads(useApi(), accountId);
  const navigate = useNavigate();
  const name = visibleLine(upload.name, 120);
  const { text, left } = uploadWords(state);
  const problem = state.phase === "failed" ? uploadProblem(state.error) : undefined;
  // What allows an address of this computer names it in full, for which the rail has no room.
  const isHeld = state.phase === "failed" && state.error instanceof LocalHoldError;
  const isActive = isUnderWay(upload);
  const endLabel = `${(isActive ? queueCommands.endUpload : queueCommands.remove).label}: ${name}`;
  const share = uploadShare(state);
  const isFieldGone = !upload.hasField;
  const address = state.phase === "done" && isFieldGone ? state.address : undefined;
  const copyLabel = `${queueCommands.copyUpload.label}: ${name}`;
  const copy = () => void copyText(address ?? "");
  useCommands([
    ...(address === undefined
      ? []
      : [{ ...commandFor(queueCommands.copyUpload, id), label: copyLabel, icon: Copy, run: copy }]),
    { ...commandFor(queueCommands.endUpload, id), label: endLabel, icon: X, run: () => uploads.cancel(id) },
    ...(problem?.retryLabel
      ? [
          {
            ...commandFor(queueCommands.retryUpload, id),
            label: `${isHeld ? problem.retryLabel : queueCommands.retryUpload.label}: ${name}`,
            run: () => uploads.retry(id),
          },
        ]
      : []),
  ]);
  function open() {
    wantField(isFieldGone ? undefined : id);
    void navigate({ to: "/create/$modelId", params: { modelId }, search: {} });
    onOpen();
  }
  return (
    <div className={clsx("group/upload flex items-center", size === "rail" && "relative")}>
      <button
        type="button"
        onClick={open}
        title={
          size === "rail"
            ? [name, text, left, problem?.text, isFieldGone && FIELD_GONE].filter(Boolean).join("\n")
            : undefined
        }
        className={clsx(rowClass(size), "cursor-pointer")}
      >
        <QueueTile size={size} tone={state.phase === "failed" ? "failed" : isActive ? "queued" : "success"}>
          <UploadPicture file={file} />
        </QueueTile>
        <RowText size={size} title={name}>
          {isActive && (
            <span className="my-1 block">
              <UploadBar label={`Uploading ${name}`} share={share} />
            </span>
          )}
          <RowLine size={size}>
            {problem ? (
              <>
                <RowStatus tone="failed" word="Upload failed" />
                <span className="truncate">{problem.text}</span>
              </>
            ) : !isActive ? (
              <>
                <RowStatus tone="success" word="Uploaded" />
                {!isFieldGone && <span className="truncate">to {visibleLine(label)}</span>}
              </>
            ) : (
              <>
                <span className="truncate">{text}</span>
                {left && <span className={clsx(size === "rail" && "ms-auto")}>{left}</span>}
              </>
            )}
          </RowLine>
          {isFieldGone && (
            <RowLine size={size}>
              <span className="truncate">{FIELD_GONE}</span>
            </RowLine>
          )}
        </RowText>
      </button>
      {address !== undefined && (
        <IconButton
          size={size === "rail" ? "sm" : "md"}
          label={copyLabel}
          className={clsx(size === "rail" && "folded:hidden")}
          onClick={copy}
        >
          <Copy aria-hidden="true" className="size-4" />
        </IconButton>
      )}
      {problem?.retryLabel && !(isHeld && size === "rail") && (
        <Button size="sm" className={clsx(size === "rail" && "folded:hidden")} onClick={() => uploads.retry(id)}>
          {problem.retryLabel}
        </Button>
      )}
      <IconButton
        size={size === "rail" ? "sm" : "md"}
        label={endLabel}
        className={clsx(size === "rail" ? "me-1 folded:hidden" : "mx-1")}
        onClick={() => uploads.cancel(id)}
      >
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  );
}

const FIELD_GONE = "Field no longer exists";

/** The file itself where it is an image that browsers show, else an icon. */
function UploadPicture({ file }: { file: File | undefined }) {
  const isPicture = file && /^image\/(png|jpeg|webp|gif|avif)$/.test(file.type);
  const url = useObjectUrl(isPicture ? file : undefined);
  if (!url) return <FileUp aria-hidden="true" className="size-4" strokeWidth={1.75} />;
  return (
    <span className="absolute inset-0 opacity-60 [&>*]:size-full">
      <MediaInputPreview key={url} address={url} kind="image" />
    </span>
  );
}
