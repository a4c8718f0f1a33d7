import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";
import { type RunProgress, runCharge } from "#api/charge-words.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useFileFacts } from "#media/file-facts.ts";
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
import { StayNote } from "./waiting/stay-note.tsx";
import { useExpectedResult } from "./waiting/use-expected-result.ts";
import { WaitingFacts } from "./waiting/waiting-facts.tsx";
import { WaitingFrame } from "./waiting/waiting-frame.tsx";
import { WaitingTime } from "./waiting/waiting-time.tsx";

interface ResultWaitingProps {
  job: JobRecord | undefined;
  /** What it was submitted with, until its row is read: the frame has the shape that was asked for at once. */
  sent?: Run | undefined;
  /** It stands on the page of the job: no way there is offered. */
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
  /** In ms; undefined where nobody knows. */
  sinceMs: number | undefined;
  priceMicroUsd: MicroUsd | undefined;
  /** Something is under way. */
  isActive: boolean;
  progress: RunProgress;
  /** What holds it up, and the next act. */
  notice?: ReactNode;
  isJobPage?: boolean | undefined;
}

/** What stands below the files of a result, px: a running job keeps the same room, so that its result takes its place. */
const BELOW_FILES = 160;
/** In a narrow pane what can be pressed there has a line of its own (`@3xl` in `used-settings.tsx`), px. */
const NARROW = { pane: 768, line: 30 };
/** The line of acts below a result that stands alone, px. */
const ACTS = 52;
const MIN_HEIGHT = 260;
/** As for a result on a phone: one file leaves room for what stands below it. */
const PHONE_SHARE = 0.62;
/** In a window so low that the page scrolls, the room is that of a result there, px (`md:short:min-h-[450px]`). */
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
  const width = measured.width - sides(isPhone);
  const { slots, height } = layoutFiles(aspects, { width, height: heightOf() });
  function heightOf(): number {
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
          // After a reload, for a moment: a frame in a guessed shape would become another one.
          expected.isLoading && "animate-hold-back",
        )}
      >
        {/* What holds it up lies over the frame: it comes and goes without moving the time below. */}
        <div className="relative shrink-0">
          <ul aria-label="Results to come" className="relative m-0 list-none p-0" style={{ height }}>
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
const sides = (isPhone: boolean) => (isPhone ? 24 : 40);

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
        {/* There without a price, too: it may be read a moment after the job. */}
        <p className="m-0 flex min-h-[38px] shrink-0 grow flex-col tabular-nums leading-[19px]">
          {charge && (
            <>
              <span className="font-medium">{charge.amount}</span>
              <span className="text-[12.5px] text-ink-3">{charge.rule}</span>
            </>
          )}
        </p>
        {requestId !== undefined && !isPhone && <NotifyButton />}
        {requestId !== undefined && (
          <span className="ms-auto flex min-w-0 items-center gap-1 max-sm:-ms-3">
            <code
              className="@4xl:block hidden min-w-0 max-w-[20ch] truncate font-mono text-[12px] text-ink-3"
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
