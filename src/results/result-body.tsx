// The result of a job on Create and on the job's page: its files as a grid or one large, or why there are none.
import { clsx } from "clsx";
import { ChevronLeft, ChevronRight, LayoutGrid, Maximize2, Star } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type Ref, useCallback, useEffect, useRef, useState } from "react";
import { GONE, hasNoResult, isJobRunning } from "#api/jobs.ts";
import type { FileFacts, Job } from "#api/types.ts";
import { useConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { formatNumber } from "#lib/numbers.ts";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { deletionNotice, useDeletedMedia, useDeletion } from "#media/deleted-media.ts";
import { askFacts, useFileFacts, useFilesFacts } from "#media/file-facts.ts";
import { mediaAspect } from "#media/show/media-aspect.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { MediaView } from "#media/show/media-view.tsx";
import { fillScreen, PlayedMedia } from "#media/show/played-media.tsx";
import { usePlayer } from "#media/show/player.ts";
import { PlayerBar } from "#media/show/player-bar.tsx";
import { useShownKind } from "#media/use-media-state.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { statusWords } from "#runs/status-words.ts";
import { openRows } from "#storage/database.ts";
import { type JobRecord, type TrackedJob, trackedKey, trackedRows } from "#storage/job-records.ts";
import { readFileFacts } from "#storage/stored-files.ts";
import { isNewer, putChange } from "#storage/typed-rows.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { createGridPositions, cursorAfterKey, getGridKey, movedTo, NO_CURSOR } from "#ui/grid-cursor.ts";
import { Skeleton } from "#ui/indicators.tsx";
import { Notice, type NoticeTone } from "#ui/notice.tsx";
import { useIsPhone, useIsTouch } from "#ui/use-media-query.ts";
import { useRoom } from "#ui/use-room.ts";
import { jobCommands } from "./commands.ts";
import { EndActs } from "./end-acts.tsx";
import { FileActions, useFileStar } from "./file-actions.tsx";
import { useNoteLarge } from "./job-download.tsx";
import { layoutFiles, type Place } from "./layout-files.ts";
import { NoResult, RawResponseLink } from "./no-result.tsx";
import { useJobSchema } from "./settings/used-facts.ts";
import { UsedSettings } from "./settings/used-settings.tsx";
import { useExpectedResult } from "./waiting/expected-result.ts";

interface ResultBodyProps {
  job: JobRecord;
  /** Set where only the job's own record has the files, and it is not read yet. `error`: why it could not be read. */
  awaited: { error: Error | null; retry: () => void } | undefined;
  /** Quiet buttons after the used settings. */
  links?: ReactNode;
}

/**
 * A job that is over, or has files already: its files, or why it has none and what can be done about it, and what was
 * used for it.
 */
export function ResultBody({ job, awaited, links }: ResultBodyProps) {
  const deletion = useDeletion(job.requestId);
  const { defaults } = useJobSchema(job.model);
  const files = useFileRecords(job, defaults);
  const hasFiles = job.media.length > 0 && !deletion;
  return (
    <>
      {hasFiles ? (
        <ResultFiles job={job} payload={job.payload ?? {}} files={files} />
      ) : awaited && !deletion ? (
        awaited.error ? (
          <ErrorNotice error={awaited.error} operation="read" onRetry={awaited.retry} />
        ) : (
          <Skeleton className="min-h-50 flex-1 rounded-md" />
        )
      ) : (
        <div className="grid min-h-50 flex-1 place-items-center">
          <EndNotice job={job} />
        </div>
      )}
      {hasFiles && isJobRunning(job) && (
        <p role="status" className="m-0 text-sm text-ink-3">
          More files may follow. The job is still running.
        </p>
      )}
      <UsedSettings job={job} files={files}>
        {links}
      </UsedSettings>
    </>
  );
}

interface EndNoticeProps {
  job: JobRecord;
}

/**
 * In the place of files: why a job that ended has none, what is known of its charge, and what can be done. For a job that
 * is final, that the service no longer has, or whose media were deleted.
 */
function EndNotice({ job }: EndNoticeProps) {
  const deletion = useDeletion(job.requestId);
  const { tone, title, body } = deletion ? deletionNotice(deletion) : endWords(job);
  return (
    <Notice
      tone={tone}
      title={title}
      className="w-full max-w-140"
      actions={!deletion?.isUnderWay && <EndActs job={job} size="sm" />}
    >
      {!deletion && <NoResult job={job} />}
      {body && <p className="m-0 mt-1">{body}</p>}
      {!deletion && job.status === "success" && <RawResponseLink requestId={job.requestId} />}
    </Notice>
  );
}

interface EndWords {
  tone: NoticeTone;
  title: string;
  body?: string;
}

function endWords({ status }: Job): EndWords {
  if (status === "failed") return { tone: "error", title: "The job failed" };
  if (status === "cancelled") return { tone: "info", title: "The job was cancelled" };
  if (status === GONE) return { tone: "warning", title: statusWords(status).word };
  if (hasNoResult(status)) return { tone: "error", title: statusWords(status).word };
  return { tone: "info", title: "The job finished but returned no files" };
}

/** Files load one after the other. What was learned of them is written once, after this long without another file. */
const QUIET_MS = 800;
/** Longer defaults of a schema are not stored with the job. Characters of JSON. */
const MAX_DEFAULTS_CHARS = 20_000;

/**
 * What is known of each file of a job from the file itself, in their order: pixels and length once an element has loaded
 * it, bytes and kind once its first kilobyte was read, and what was recorded of it before. New facts are recorded with
 * the job, where this browser knows it, so that they outlive the file. `defaults`: of the model's schema, where it is
 * known.
 */
function useFileRecords(job: JobRecord, defaults: JsonRecord | undefined): readonly FileFacts[] {
  const urls = job.media.map((item) => item.url);
  const facts = useFilesFacts(urls);
  const isDeleted = useDeletedMedia().jobs.has(job.requestId);
  const recorded = job.files?.length === urls.length ? job.files : [];
  const files = urls.map((_, index) => ({ ...recorded[index], ...readFileFacts(facts[index]) }));

  // Only a file that an element has loaded is asked for its kind and size. Nothing is asked of a file that is not shown.
  const unasked = urls
    .filter((url, index) => facts[index]?.isLoaded && !files[index]?.extension && /^https?:/i.test(url))
    .join("\n");
  useEffect(() => {
    if (unasked === "" || isDeleted) return;
    const controller = new AbortController();
    // A host may refuse requests for a part of a file. Such a file is shown all the same; its size stays unknown.
    for (const url of unasked.split("\n")) void askFacts(url, controller.signal).catch(() => undefined);
    return () => controller.abort();
  }, [unasked, isDeleted]);

  const accountId = useConnection()?.accountId;
  const hasNewFacts =
    job.origin !== undefined && !sameJson(files, job.files ?? []) && facts.some((fact) => fact?.isLoaded);
  const newFacts = hasNewFacts && accountId !== undefined ? JSON.stringify(files) : undefined;
  useEffect(() => {
    if (newFacts === undefined || accountId === undefined) return;
    const timer = setTimeout(() => {
      void recordFiles(accountId, job.requestId, { files: JSON.parse(newFacts), defaults }).catch(() => undefined);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [newFacts, accountId, job.requestId, defaults]);
  return files;
}

interface RecordedFacts {
  files: FileFacts[];
  defaults: JsonRecord | undefined;
}

/**
 * Writes what was learned of a job's files into its row. Facts that were recorded before stay where nothing new is known,
 * and the first defaults stay: those of later versions of the schema are not those that the job ran with. Rejects with
 * `StorageError` where it was not written.
 */
async function recordFiles(accountId: string, requestId: string, { files, defaults }: RecordedFacts): Promise<void> {
  const key = trackedKey(accountId, requestId);
  await (await openRows()).edit({ store: trackedRows.store, key, isExpendable: true }, (row) => {
    const known = row && !isNewer(trackedRows, row) ? trackedRows.read(row.body, row) : undefined;
    if (!known) return { changes: [], result: undefined };
    const areDefaultsShort = defaults !== undefined && JSON.stringify(defaults).length <= MAX_DEFAULTS_CHARS;
    const next: TrackedJob = {
      ...known,
      files: files.map((file, index) => ({
        ...(known.files?.length === files.length ? known.files[index] : {}),
        ...file,
      })),
      ...(known.defaults === undefined && areDefaultsShort ? { defaults } : {}),
    };
    if (sameJson(known, next)) return { changes: [], result: undefined };
    return { changes: [putChange(trackedRows, accountId, key, next)], result: undefined };
  });
}

interface ResultFilesProps {
  /** The job, which has at least one file. */
  job: Job;
  /** What was asked for, where the service does not echo it. */
  payload: Job["payload"];
  /** What is known of the files themselves, in their order. */
  files: readonly FileFacts[];
}

/** The share of a phone's height for a single file, so that what stands below it is in view, too. */
const PHONE_SHARE = 0.62;

/**
 * The files of a job: one alone as large as its pane, several as a grid of which one click makes one large. Arrows lead
 * from one to the next, Escape or another click back to the grid, and the focus with it.
 */
function ResultFiles({ job, payload, files }: ResultFilesProps) {
  const count = job.media.length;
  const [active, setActive] = useState(0);
  const [isLarge, setIsLarge] = useState(false);
  const isPhone = useIsPhone();
  const isTouch = useIsTouch() || isPhone;
  const [roomRef, measured] = useRoom();
  const buttons = useRef(new Map<number, HTMLButtonElement>());
  const large = useRef<HTMLElement>(null);
  const moveFocus = useRef(false);
  const shown = Math.min(active, count - 1);
  const showsOne = count === 1 || isLarge;
  useNoteLarge(job.requestId, count > 1 && isLarge);
  const aspects = useAspects(job, payload, files);
  const room = isPhone ? { width: measured.width, height: Number.POSITIVE_INFINITY } : measured;
  const { slots, height } = layoutFiles(aspects, room);
  const name = visibleLine(jobPrompt(payload) ?? job.model ?? "Result", 120);

  useEffect(() => {
    if (!moveFocus.current) return;
    moveFocus.current = false;
    const target = isLarge ? large.current : buttons.current.get(shown);
    target?.focus({ preventScroll: true });
  });
  const show = (open: boolean, index = shown) => {
    moveFocus.current = true;
    setActive(index);
    setIsLarge(open);
  };
  const step = (by: number) => setActive((old) => (Math.min(old, count - 1) + by + count) % count);
  useCommands(
    count === 1
      ? []
      : [
          isLarge
            ? { ...jobCommands.all, icon: LayoutGrid, run: () => show(false) }
            : {
                ...jobCommands.large,
                label: `View result ${formatNumber(shown + 1)} full size`,
                icon: Maximize2,
                run: () => show(true),
              },
        ],
  );

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || count === 1) return;
    // Video and audio have arrow keys of their own; a dialog of an act lies elsewhere in the document.
    if (!(event.target instanceof Element) || event.target.closest("video, audio, input, [role=dialog]")) return;
    if (event.key === "Escape" && isLarge) show(false);
    else if (isLarge && event.key === "ArrowRight") step(1);
    else if (isLarge && event.key === "ArrowLeft") step(-1);
    else {
      const next = isLarge ? undefined : nextPlace(slots, shown, event);
      const button = next === undefined ? undefined : buttons.current.get(next);
      if (!button) return;
      button.focus();
    }
    event.preventDefault();
  }

  return (
    // The keys act wherever in the group the focus is.
    // biome-ignore lint/a11y/noStaticElementInteractions: the group itself is no control.
    <div className={clsx("flex flex-col gap-3", !isPhone && "min-h-0 flex-1")} onKeyDown={onKeyDown}>
      <div ref={roomRef} className={clsx("relative", !isPhone && "min-h-65 flex-1")}>
        <div className={clsx(!isPhone && "absolute inset-0 grid content-start")}>
          {showsOne ? (
            <LargeFile
              job={job}
              index={shown}
              name={name}
              aspect={aspects[shown] ?? 1}
              room={isPhone ? { ...room, height: Math.max(280, window.innerHeight * PHONE_SHARE) } : room}
              isTouch={isTouch}
              boxRef={large}
              onStep={step}
              onClose={count > 1 ? () => show(false) : undefined}
            />
          ) : (
            <ul aria-label="Results" className="relative m-0 list-none p-0" style={{ height }}>
              {slots.map((place, index) => (
                <GridCell
                  key={job.media[index]?.id ?? index}
                  job={job}
                  index={index}
                  name={name}
                  place={place}
                  isActive={index === shown}
                  isTouch={isTouch}
                  buttonRef={(node) => {
                    if (node) buttons.current.set(index, node);
                    else buttons.current.delete(index);
                  }}
                  onActive={() => setActive(index)}
                  onOpen={() => show(true, index)}
                />
              ))}
            </ul>
          )}
        </div>
      </div>
      {isTouch && (
        <FileActions
          job={job}
          index={shown}
          look="tiles"
          isActive
          isAlone={showsOne}
          withoutDownload={!isPhone && count === 1}
        />
      )}
    </div>
  );
}

/** Width over height of each file: its own where it is known, else that of another of the job, else what was asked for. */
function useAspects(job: Job, payload: Job["payload"], files: readonly FileFacts[]): number[] {
  const real = files.map(({ width, height }) => (width && height ? { width, height } : undefined));
  const firstKnown = real.find((sides) => sides !== undefined);
  // The frame that was shown while the job ran had this shape.
  const expected = useExpectedResult(job.model, payload).aspect;
  return job.media.map((item, index) => {
    const sides = real[index] ?? (item.kind === "image" || item.kind === "video" ? firstKnown : undefined);
    const isOwn = sides !== undefined || (item.width !== undefined && item.height !== undefined);
    return (!isOwn && item.kind !== "audio" ? expected : undefined) ?? mediaAspect({ ...item, ...sides }, payload);
  });
}

/** The file that an arrow key leads to in the grid, as it is seen. */
function nextPlace(slots: readonly Place[], from: number, event: KeyboardEvent): number | undefined {
  if (!MOVES.has(event.key)) return undefined;
  const ids = slots.map((_, index) => `${index}`);
  const lines = [...new Set(slots.map(({ y }) => y))].map((y) => {
    const inLine = ids.filter((_, index) => slots[index]?.y === y);
    const boxes = slots.filter((place) => place.y === y);
    return { cells: inLine, middles: boxes.map(({ x, width }) => x + width / 2), height: boxes[0]?.height ?? 0 };
  });
  const next = cursorAfterKey(getGridKey(event), movedTo(NO_CURSOR, `${from}`), createGridPositions(lines, ids));
  // At the edge the key scrolls the page.
  return next?.active === `${from}` ? undefined : Number(next?.active);
}

const MOVES = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

interface LargeFileProps {
  job: Job;
  index: number;
  name: string;
  aspect: number;
  /** What it may fill, the line below it included. CSS pixels. */
  room: { width: number; height: number };
  isTouch: boolean;
  boxRef: Ref<HTMLElement>;
  onStep: (by: 1 | -1) => void;
  /** Back to all files; undefined where there is one alone. */
  onClose: (() => void) | undefined;
}

/** Room for what stands below the file, where it is one line. */
const BAR_HEIGHT = 52;
/** The line below a narrow file may be as wide as this, so that it stays one line. */
const BAR_WIDTH = 640;
/** A file is not shown wider than this, also where its pane is wider. CSS pixels. */
const MAX_WIDTH = 2400;

/** One file as large as the pane lets it be, with what can be done with it in a line below. */
function LargeFile({ job, index, name, aspect, room, isTouch, boxRef, onStep, onClose }: LargeFileProps) {
  const item = job.media[index];
  const kind = useShownKind(item);
  const [barHeight, setBarHeight] = useState(BAR_HEIGHT);
  // In a narrow pane its acts take several lines, and the file gives them the room.
  const bar = useCallback((node: HTMLElement) => {
    const measure = () => setBarHeight(Math.max(BAR_HEIGHT, node.offsetHeight));
    measure();
    // A cleanup is returned in any case: without one React would call this again with null when the line goes.
    if (typeof ResizeObserver === "undefined") return () => undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  const player = usePlayer();
  const box = useRef<HTMLDivElement>(null);
  const isLoaded = useFileFacts(item?.url ?? "")?.isLoaded === true;
  if (!item) return null;
  const count = job.media.length;
  const position = `${index + 1} of ${count}`;
  const isPlayed = kind === "video" || kind === "audio";
  const width = Math.min(room.width, MAX_WIDTH, Math.max(120, room.height - barHeight) * aspect);
  // What stands below a narrow file may be wider than it.
  const barWidth = Math.max(width, Math.min(room.width, BAR_WIDTH));
  return (
    <figure
      ref={boxRef}
      tabIndex={-1}
      aria-label={count > 1 ? `${name}, ${position}` : undefined}
      className="group/file m-0 mx-auto grid w-full content-center justify-items-center rounded-md outline-offset-4 [&:fullscreen]:bg-canvas"
    >
      <div ref={box} className="relative group-[:fullscreen]/file:w-full!" style={{ width }}>
        <MediaView
          key={item.url}
          item={item}
          alt={count > 1 ? `${name}, ${position}` : name}
          aspect={aspect}
          payload={job.payload}
          createdAtSeconds={job.createdAtSeconds}
          player={player}
          className="rounded-md group-[:fullscreen]/file:aspect-auto! group-[:fullscreen]/file:h-[calc(100dvh-112px)]"
        />
        {onClose && kind === "image" && isLoaded && (
          <button
            type="button"
            tabIndex={-1}
            aria-hidden="true"
            onClick={onClose}
            className="absolute inset-0 cursor-zoom-out border-0 bg-transparent"
          />
        )}
      </div>
      <figcaption ref={bar} className="w-full" style={{ maxWidth: barWidth }}>
        {isPlayed && (
          <PlayerBar
            player={player}
            hasCommands
            grab={
              kind === "video"
                ? { url: item.url, name: `${job.model ?? "video"}-${job.requestId.slice(0, 8)}` }
                : undefined
            }
            fullScreen={
              kind === "video" ? { run: () => void fillScreen(box.current?.closest("figure") ?? null) } : undefined
            }
          />
        )}
        <div className={clsx("flex flex-wrap items-center gap-2 tabular-nums", isPlayed ? "pt-1" : "pt-3")}>
          {!isTouch && (
            <FileActions job={job} index={index} look="bar" isActive isAlone withoutDownload={count === 1} />
          )}
          {onClose && (
            <span className="ml-auto flex items-center gap-1">
              <Button size="sm" variant="ghost" onClick={onClose}>
                <LayoutGrid aria-hidden="true" className="size-4" />
                {jobCommands.all.label}
              </Button>
              <IconButton size="sm" label="Previous result" onClick={() => onStep(-1)}>
                <ChevronLeft aria-hidden="true" className="size-4" />
              </IconButton>
              <span role="status">
                {index + 1} / {count}
              </span>
              <IconButton size="sm" label="Next result" onClick={() => onStep(1)}>
                <ChevronRight aria-hidden="true" className="size-4" />
              </IconButton>
            </span>
          )}
        </div>
      </figcaption>
    </figure>
  );
}

interface GridCellProps {
  job: Job;
  index: number;
  /** Such as the prompt. */
  name: string;
  place: Place;
  /** The one that the keyboard is at, or that was touched. */
  isActive: boolean;
  /** Nothing can be hovered: the acts of the active file stand below the grid. */
  isTouch: boolean;
  buttonRef: Ref<HTMLButtonElement>;
  onActive: () => void;
  onOpen: () => void;
}

/**
 * One file of several. Images and videos are a button that shows them in full size, with their acts over it on hover and focus;
 * audio and other files are used where they stand.
 */
function GridCell({ job, index, place, isActive, isTouch, onActive, ...rest }: GridCellProps) {
  const [isHovered, setIsHovered] = useState(false);
  const { isStarred } = useFileStar(job, index);
  const item = job.media[index];
  const kind = useShownKind(item);
  if (!item) return null;
  const name = `${rest.name}, ${index + 1} of ${job.media.length}`;
  const isPlain = kind === "audio" || kind === "other";
  return (
    <li
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      // A finger gives the focus before it presses: it would select and open at once.
      onFocus={isTouch ? undefined : onActive}
      style={{ width: place.width, height: place.height, transform: `translate(${place.x}px, ${place.y}px)` }}
      className={clsx(
        "group @container absolute top-0 left-0 rounded-md",
        "transition-[transform,width,height] duration-150 motion-reduce:transition-none",
        isTouch && isActive && "outline-2 outline-accent outline-offset-2",
      )}
    >
      {isPlain ? (
        <PlayedMedia item={item} alt={name} payload={job.payload} createdAtSeconds={job.createdAtSeconds} />
      ) : (
        <button
          ref={rest.buttonRef}
          type="button"
          aria-label={isTouch && !isActive ? `Select ${name}` : `View full size: ${name}`}
          aria-pressed={isTouch ? isActive : undefined}
          onClick={isTouch && !isActive ? onActive : rest.onOpen}
          className={clsx(
            "absolute inset-0 cursor-zoom-in overflow-hidden rounded-md border-0 bg-raised p-0 text-ink-2",
            "focus-visible:outline-2 focus-visible:outline-focus focus-visible:outline-offset-2",
          )}
        >
          <MediaThumb item={item} alt="" createdAtSeconds={job.createdAtSeconds} isHovered={isHovered && !isTouch} />
          {!isTouch && (
            <span
              aria-hidden="true"
              className="absolute inset-0 rounded-md opacity-0 shadow-[inset_0_0_0_2px_oklch(1_0_0/0.55)] transition-opacity duration-150 group-hover:opacity-100"
            />
          )}
        </button>
      )}
      {isTouch && isActive && !isPlain && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute right-2.5 bottom-2.5 grid size-6.5 place-items-center rounded-sm bg-black/55 text-white"
        >
          <Maximize2 className="size-3.5" />
        </span>
      )}
      {isStarred && (
        <span
          aria-hidden="true"
          className={clsx(
            "pointer-events-none absolute top-2.5 right-2.5 grid size-6.5 place-items-center rounded-sm bg-black/55 text-white",
            !isTouch && "transition-opacity duration-150 group-focus-within:opacity-0 group-hover:opacity-0",
          )}
        >
          <Star className="size-3.5 fill-current" />
        </span>
      )}
      {!isTouch && !isPlain && <FileActions job={job} index={index} look="overlay" isActive={isActive} />}
    </li>
  );
}
