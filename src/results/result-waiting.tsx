// A job that still runs, in the place of its result: the frame of each file, the time, and what is known of its charge.
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ArrowUpRight, Image as ImageIcon, Video as VideoIcon } from "lucide-react";
import type { ReactNode, SyntheticEvent } from "react";
import { type RunProgress, runCharge } from "#api/charge-words.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import { dayStart, formatDateTime, formatTimeOfDay } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { safeMediaUrl } from "#media/fetch-media.ts";
import { noteLoaded, useFileFacts } from "#media/file-facts.ts";
import { useBlockedHost } from "#media/known-hosts.ts";
import { useMediaTurn } from "#media/use-media-state.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import type { Run } from "#runs/submit/submissions.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { buttonClass } from "#ui/button.tsx";
import { useIsPhone, useIsShort } from "#ui/use-media-query.ts";
import { useRoom } from "#ui/use-room.ts";
import { NotifyButton } from "./alerts/notify-button.tsx";
import { resultCommands } from "./commands.ts";
import { CopyId } from "./copy-id.tsx";
import { layoutFiles } from "./layout-files.ts";
import { type ExpectedResult, type ShownInput, type UsedFact, useExpectedResult } from "./waiting/expected-result.ts";
import { WaitingTime } from "./waiting/waiting-time.tsx";

interface ResultWaitingProps {
  job: JobRecord | undefined;
  /** The run that was submitted, until its row is read, so that the frame has the right shape at once. */
  sent?: Run | undefined;
  /** It is on the page of the job, so no link to that page is offered. */
  isJobPage?: boolean | undefined;
}

/** A job that is still running, in the place of its result. */
export function ResultWaiting({ job, sent, isJobPage }: ResultWaitingProps) {
  const startedAtMs = job?.submittedAtMs ?? (job?.createdAtSeconds && job.createdAtSeconds * 1000);
  return (
    <WaitingBody
      progress="accepted"
      model={job?.model ?? sent?.request.model}
      payload={sent?.request.payload ?? job?.payload ?? {}}
      requestId={job?.requestId}
      sinceMs={startedAtMs}
      priceMicroUsd={job?.priceMicroUsd ?? sent?.priceMicroUsd}
      isActive
      isJobPage={isJobPage}
    />
  );
}

interface WaitingBodyProps {
  model: string | undefined;
  payload: JsonRecord;
  /** Undefined until the service has accepted the run. */
  requestId: string | undefined;
  /** The moment from which its time counts, in ms; undefined where nobody knows. */
  sinceMs: number | undefined;
  priceMicroUsd: MicroUsd | undefined;
  /** Something is under way, so the frame has a moving light. */
  isActive: boolean;
  progress: RunProgress;
  /** Why the run is delayed, and what can be done. */
  notice?: ReactNode;
  isJobPage?: boolean | undefined;
}

/** The height of what stands below the files of a result, px. A running job leaves the same room, so that nothing moves. */
const BELOW_FILES = 160;
/** In a pane narrower than `pane` the buttons have a line of their own, `line` high, px (`@3xl` in `used-settings.tsx`). */
const NARROW = { pane: 768, line: 30 };
/** The line of acts below a result that stands alone, px. */
const ACTS = 52;
/** No result is lower than this, px. */
const MIN_HEIGHT = 260;
/** The share of a phone's height for one file, as for a result: it leaves room for what stands below it. */
const PHONE_SHARE = 0.62;
/** The room in a window so low that the page scrolls: that of a result there, px (`md:short:min-h-112.5`). */
const SHORT_HEIGHT = 510;

/** The frames of the results in the shape that was asked for, the time, and what is known of the run meanwhile. */
export function WaitingBody({
  model,
  payload,
  requestId,
  sinceMs,
  priceMicroUsd,
  isActive,
  progress,
  notice,
  isJobPage,
}: WaitingBodyProps) {
  const expected = useExpectedResult(model, payload);
  const { input, count } = expected;
  const { width: inputWidth, height: inputHeight } = useFileFacts(input?.url ?? "") ?? {};
  const [roomRef, measured] = useRoom();
  const isPhone = useIsPhone();
  const isShort = useIsShort();
  const inputAspect = inputWidth && inputHeight ? inputWidth / inputHeight : undefined;
  const aspect = expected.aspect ?? inputAspect ?? expected.usualAspect;
  const aspects = Array.from({ length: count }, () => aspect);
  const width = measured.width - getPadding(isPhone);
  const { slots, height } = layoutFiles(aspects, { width, height: filesHeight() });
  function filesHeight(): number {
    if (isPhone) return count > 1 ? Number.POSITIVE_INFINITY : Math.max(280, window.innerHeight * PHONE_SHARE);
    const below = BELOW_FILES + (width < NARROW.pane ? NARROW.line : 0) + (count > 1 ? 0 : ACTS);
    return Math.max(MIN_HEIGHT, (isShort ? SHORT_HEIGHT : measured.height) - below);
  }
  const prompt = jobPrompt(payload);
  return (
    <div ref={roomRef} className="flex min-h-0 flex-1 flex-col overflow-y-auto short:overflow-visible">
      <div
        className={clsx(
          "flex flex-1 flex-col gap-x-5 gap-y-4 px-5 pt-4 pb-4 max-sm:px-3",
          // After a reload the shape is known a moment later: until then a frame would have a guessed shape.
          expected.isLoading && "animate-hold-back",
        )}
      >
        {/* The notice lies over the frame: it comes and goes without moving the time below. */}
        <div className="relative shrink-0">
          <ul aria-label="Upcoming results" className="relative m-0 list-none p-0" style={{ height }}>
            {slots.map((place, index) => (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: results to come have nothing but their place
                key={index}
                className="absolute"
                style={{ left: place.x, top: place.y, width: place.width, height: place.height }}
              >
                <WaitingFrame
                  aspect={aspect}
                  isActive={isActive}
                  input={input}
                  {...(index === 0
                    ? { prompt: prompt && visibleLine(prompt, 400), settings: expected.settings, isLabelled: true }
                    : {})}
                />
              </li>
            ))}
          </ul>
          {notice && (
            <div className="absolute inset-x-2 top-2 rounded-md bg-canvas shadow-float empty:hidden">{notice}</div>
          )}
        </div>
        <div className="@container shrink-0">
          <WaitingTime
            requestId={requestId}
            model={model}
            kind={expected.kind}
            sinceMs={sinceMs}
            act={isPhone && requestId !== undefined && <NotifyButton isShort />}
          />
        </div>
        {requestId !== undefined && <StayNote />}
        <WaitingFacts facts={expected.facts} sinceMs={sinceMs} />
      </div>
      <WaitingFooter requestId={requestId} priceMicroUsd={priceMicroUsd} progress={progress} isJobPage={isJobPage} />
    </div>
  );
}

/** The padding around the files, px: as around those of a result. */
const getPadding = (isPhone: boolean) => (isPhone ? 24 : 40);

/**
 * What is known of the money of a run that is not over (spec 3), its job, and the offer to say when it is done: always in
 * view beside the form. On a phone it goes along with the page, and the offer stands beside the time.
 */
function WaitingFooter({
  requestId,
  priceMicroUsd,
  progress,
  isJobPage,
}: Pick<WaitingBodyProps, "requestId" | "priceMicroUsd" | "progress" | "isJobPage">) {
  const isPhone = useIsPhone();
  if (requestId === undefined && priceMicroUsd === undefined) return null;
  const charge = priceMicroUsd === undefined ? undefined : runCharge(priceMicroUsd, progress);
  return (
    <footer className="@container sticky bottom-0 shrink-0 border-line border-t bg-canvas px-5 py-3 max-lg:static max-sm:px-3 short:static">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        {/* The line is there without a price, too, because that may be read a moment after the job. */}
        <p className="m-0 flex min-h-9.5 shrink-0 grow flex-col tabular-nums leading-normal">
          {charge && (
            <>
              <span className="font-medium">{charge.amount}</span>
              <span className="text-sm text-ink-3">{charge.rule}</span>
            </>
          )}
        </p>
        {requestId !== undefined && !isPhone && <NotifyButton />}
        {requestId !== undefined && (
          <span className="ms-auto flex min-w-0 items-center gap-1 max-sm:-ms-3">
            <code
              className="@4xl:block hidden min-w-0 max-w-[20ch] truncate font-mono text-xs text-ink-3"
              title={requestId}
            >
              {requestId}
            </code>
            <CopyId requestId={requestId} />
            {!isJobPage && (
              <Link
                data-command={resultCommands.open.id}
                to="/jobs/$requestId"
                params={{ requestId }}
                className={buttonClass({ variant: "ghost", className: "-mr-2" })}
              >
                {resultCommands.open.label}
                <ArrowUpRight aria-hidden="true" className="size-4" />
              </Link>
            )}
          </span>
        )}
      </div>
    </footer>
  );
}

interface WaitingFrameProps {
  /** Width over height of what was asked for. */
  aspect: number;
  /** What it is made from; shown in the first frame of several. */
  prompt?: string | undefined;
  input?: ShownInput | undefined;
  /** A few words each: "16:9", "1080p", "6 s". */
  settings?: ExpectedResult["settings"] | undefined;
  /** A light over the frame comes and goes while the run is under way. */
  isActive?: boolean | undefined;
  /** Names the faint image as the input. Only the first frame of several does. */
  isLabelled?: boolean | undefined;
  className?: string | undefined;
}

/**
 * The place of a result while it is made: in the shape that was asked for, with the prompt in it and the input faintly
 * behind. As wide as its owner; the result takes the same place.
 */
function WaitingFrame({
  aspect,
  prompt,
  input,
  settings = [],
  isActive = true,
  isLabelled = true,
  className,
}: WaitingFrameProps) {
  return (
    <div
      data-waiting-frame=""
      className={clsx(
        "@container relative w-full overflow-hidden rounded-lg",
        input ? "bg-[#0b0a0b] text-white" : "bg-panel text-ink in-data-[theme=light]:bg-raised",
        "inset-ring inset-ring-line forced-colors:border forced-colors:border-[CanvasText]",
        className,
      )}
      style={{ aspectRatio: aspect }}
    >
      {input && <FaintInput input={input} />}
      {input && (
        <span aria-hidden="true" className="absolute inset-0 bg-linear-to-t from-black/65 to-55% to-transparent" />
      )}
      {isActive && (
        <span
          aria-hidden="true"
          className={clsx(
            "absolute inset-0 animate-pulse bg-linear-100 from-34% from-transparent via-50% via-white/6 to-66% to-transparent motion-reduce:animate-none forced-colors:hidden",
            // Over an input the frame is dark in both themes.
            !input && "in-data-[theme=light]:via-white/50",
          )}
        />
      )}
      <div className="absolute inset-x-3 top-3 flex flex-wrap items-start justify-between gap-2 text-xs">
        {input && isLabelled ? (
          <Tag isDark>
            {input.kind === "video" ? (
              <VideoIcon aria-hidden="true" className="size-3.5" />
            ) : (
              <ImageIcon aria-hidden="true" className="size-3.5" />
            )}
            Your input {input.kind}
          </Tag>
        ) : (
          <span />
        )}
        {settings.length > 0 && <Tag isDark={input !== undefined}>{settings.join(" · ")}</Tag>}
      </div>
      {prompt && (
        <p
          dir="auto"
          className="wrap-anywhere absolute inset-x-4 bottom-3.5 m-0 line-clamp-3 max-w-[56ch] text-balance text-base leading-snug @md:inset-x-5.5 @md:bottom-4.5 @md:text-lg @md:leading-relaxed"
        >
          {prompt}
        </p>
      )}
    </div>
  );
}

function Tag({ isDark, children }: { isDark: boolean; children: ReactNode }) {
  return (
    <span
      className={clsx(
        "inline-flex min-h-6.5 max-w-full items-center gap-1.5 truncate rounded-sm px-2.5 tabular-nums",
        isDark ? "bg-black/50 text-white/85" : "bg-canvas/70 text-ink-2",
      )}
    >
      {children}
    </span>
  );
}

const FAINT = "absolute inset-0 size-full object-cover opacity-[0.26] blur-[1.5px] saturate-[.55]";

/** The input behind the frame. A file whose host was not allowed is not loaded for it. */
function FaintInput({ input }: { input: ShownInput }) {
  const isBlocked = useBlockedHost(input.url) !== undefined;
  const { src, ref, onOver } = useMediaTurn(isBlocked ? undefined : safeMediaUrl(input.url));
  const onReady = ({ currentTarget }: SyntheticEvent) => {
    onOver(true);
    noteLoaded(input.url, currentTarget);
  };
  if (input.kind === "video") {
    return (
      <video
        ref={ref}
        src={src}
        aria-hidden
        muted
        playsInline
        preload="metadata"
        tabIndex={-1}
        className={FAINT}
        onLoadedData={onReady}
        onError={() => onOver(false)}
      />
    );
  }
  return (
    <img
      ref={ref}
      src={src}
      alt=""
      referrerPolicy="no-referrer"
      // An image that was shown before is drawn at once: the frame of an accepted run replaces that of the submit.
      decoding="sync"
      draggable={false}
      className={FAINT}
      onLoad={onReady}
      onError={() => onOver(false)}
    />
  );
}

/** "2:41 PM" today, else with its day. */
function startText(atMs: number): string {
  const seconds = atMs / 1000;
  return dayStart(atMs) === dayStart(Date.now()) ? formatTimeOfDay(seconds) : formatDateTime(seconds);
}

/** What a run was given and when it began, as quiet chips. `sinceMs`: undefined where nobody knows. */
function WaitingFacts({ facts, sinceMs }: { facts: readonly UsedFact[]; sinceMs: number | undefined }) {
  const started = sinceMs === undefined ? [] : [{ label: "Started", value: startText(sinceMs) }];
  return (
    <dl aria-label="Settings used" className="m-0 flex flex-wrap gap-1.5">
      {[...facts, ...started].map(({ label, value }) => (
        <div
          key={label}
          className="inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-sm bg-panel px-2 text-xs text-ink-2 tabular-nums in-data-[theme=light]:bg-hover forced-colors:border"
        >
          <dt className="shrink-0 text-ink-3">{label}</dt>
          <dd dir="auto" className="m-0 min-w-0 truncate" title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** That nobody has to wait here. The offer to say when the job is done stands in the footer, where it is always in view. */
function StayNote() {
  return (
    <p className="m-0 text-pretty text-ink-2">
      You can close this page. The job keeps running and will be here when you return.
    </p>
  );
}
