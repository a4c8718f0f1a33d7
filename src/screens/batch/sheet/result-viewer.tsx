import { Link, useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ChevronLeft, ChevronRight, ExternalLink, Maximize, Star, X, ZoomIn, ZoomOut } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { canRetry } from "#jobs/batch/batch-edits.ts";
import { resultCommands } from "#jobs/commands.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { DownloadButton } from "#media/download/download-button.tsx";
import { MediaView } from "#media/show/media-view.tsx";
import { PlayedMedia } from "#media/show/played-media.tsx";
import { useShownKind } from "#media/show/use-media-state.ts";
import { FIT, type Zoom, zoomAt } from "#media/show/zoom.ts";
import { ZoomPane } from "#media/show/zoom-pane.tsx";
import { Button, buttonClass, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import type { Command } from "#ui/command-store.ts";
import { FullDialog } from "#ui/dialog.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { sheetCommands } from "../commands.ts";
import { type CellLook, CellState } from "./cell-state.tsx";
import { titleOn } from "./sheet-axes.ts";
import type { SheetLine } from "./sheet-layout.ts";
import { captionWords, isDone, type SheetResult, stateWords } from "./sheet-results.ts";
import type { Sheet } from "./use-sheet.ts";
import type { SheetActs } from "./use-sheet-acts.tsx";

interface ResultViewerProps {
  sheet: Sheet;
  lines: readonly SheetLine[];
  id: string;
  onId: (id: string) => void;
  look: CellLook;
  acts: SheetActs;
  onClose: () => void;
}

const LAYER = "sheet-viewer";
const ZOOM_STEP = 1.5;

/** One result over the whole window, with the others of the sheet to its left and right. */
export function ResultViewer({ sheet, lines, id, onId, look, acts, onClose }: ResultViewerProps) {
  const stage = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const [file, setFile] = useState({ id, index: 0 });
  const [zoom, setZoom] = useState(FIT);
  const onZoom = useCallback((make: (zoom: Zoom) => Zoom) => setZoom(make), []);
  const result = sheet.results.get(id);
  if (!result) return null;
  const order = lines.flatMap(({ cells }) => cells.flatMap((one) => one ?? []));
  const at = order.indexOf(id);
  const index = file.id === id ? Math.min(file.index, Math.max(0, result.files.length - 1)) : 0;
  const goTo = (next: number, isBack = false) => {
    const other = order[Math.min(order.length - 1, Math.max(0, next))];
    if (other === undefined || other === id) return;
    const files = sheet.results.get(other)?.files.length ?? 0;
    setFile({ id: other, index: isBack ? Math.max(0, files - 1) : 0 });
    onId(other);
  };
  const step = (by: 1 | -1) => {
    const next = index + by;
    if (next >= 0 && next < result.files.length) setFile({ id, index: next });
    else if (order[at + by] !== undefined) goTo(at + by, by === -1);
  };
  const zoomBy = (factor: number) => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = stage.current ?? {};
    setZoom((now) => zoomAt(now, factor, { x: 0, y: 0 }, { width, height }));
  };
  const isFirst = at <= 0 && index === 0;
  const isLast = at === order.length - 1 && index >= result.files.length - 1;
  const previous = { ...resultCommands.previous, icon: ChevronLeft, run: () => step(-1) };
  const next = { ...resultCommands.next, icon: ChevronRight, run: () => step(1) };
  const star = { ...acts.star, unavailable: undefined, run: () => acts.toggleStar([result]) };
  const reject = { ...acts.reject, unavailable: undefined, run: () => acts.toggleReject([result]) };
  const zoomIn = { ...resultCommands.zoomIn, icon: ZoomIn, run: () => zoomBy(ZOOM_STEP) };
  const zoomOut = { ...resultCommands.zoomOut, icon: ZoomOut, run: () => zoomBy(1 / ZOOM_STEP) };
  const fit = { ...resultCommands.fit, icon: Maximize, run: () => setZoom(FIT) };
  const { requestId, job } = result;
  const openJob = () => requestId !== undefined && void navigate({ to: "/jobs/$requestId", params: { requestId } });
  const againPrice = result.view.item.priceMicroUsd;
  const commands: Command[] = [
    previous,
    next,
    { ...resultCommands.first, run: () => goTo(0) },
    { ...resultCommands.last, run: () => goTo(order.length - 1) },
    star,
    reject,
    zoomIn,
    zoomOut,
    fit,
    // As in the cell: what it costs is known, or it is not offered.
    ...(canRetry(result.view.state) && againPrice !== undefined
      ? [
          {
            ...sheetCommands.runAgain,
            value: formatMicroUsd(againPrice),
            run: () => look.onRunAgain(id),
          },
        ]
      : []),
    ...(requestId === undefined ? [] : [{ ...resultCommands.open, run: openJob }]),
  ];
  const { chosen } = sheet;
  const title = [chosen.rows, chosen.columns, ...sheet.telling]
    .flatMap((axis) => (axis ? titleOn(axis, id) : []))
    .join(", ");
  const words = captionWords(result);
  return (
    <FullDialog
      title={title || stateWords(result)}
      onClose={onClose}
      place={LAYER}
      commands={commands}
      // To the result that was looked at last, not to the one that was opened.
      focusAfter={() =>
        [...document.querySelectorAll<HTMLElement>("[data-item]")].find((one) => one.dataset.item === id)
      }
    >
      <div className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-1 border-line border-b px-3 py-2">
        <span role="status" className="mx-2 shrink-0 text-[12.5px] text-ink-3 tabular-nums">
          {`${at + 1} of ${order.length}`}
          {result.files.length > 1 && `, file ${index + 1} of ${result.files.length}`}
        </span>
        <span aria-hidden="true" className="min-w-[6rem] flex-1 truncate font-medium text-[13.5px]">
          <bdi>{title || stateWords(result)}</bdi>
        </span>
        <span className="mx-2 shrink-0 text-[12.5px] text-ink-2 tabular-nums max-sm:hidden">
          {[words.price, words.time].filter(Boolean).join(" · ")}
        </span>
        <span className="flex max-sm:hidden">
          <ViewerAct command={zoomOut} />
          <ViewerAct command={fit} />
          <ViewerAct command={zoomIn} />
        </span>
        <Mark command={star} isPressed={result.isStarred} />
        <Mark command={reject} isPressed={result.isRejected} />
        {job && isDone(result) && (
          <DownloadButton
            // Each file has its own: one that is being read does not hold up the next.
            key={`${id} ${index}`}
            job={job}
            index={index}
            variant="ghost"
            size="sm"
            command={resultCommands.download}
          />
        )}
        {requestId !== undefined && (
          <Link
            to="/jobs/$requestId"
            params={{ requestId }}
            data-command={resultCommands.open.id}
            className={buttonClass({ variant: "ghost", size: "sm" })}
          >
            <ExternalLink aria-hidden className="size-4" />
            <span className="max-sm:sr-only">Open job</span>
          </Link>
        )}
        <IconButton label="Close" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      <div className="flex min-h-0 flex-1 max-sm:flex-col">
        <Edge command={previous} isOff={isFirst} />
        <div ref={stage} className={clsx("relative min-h-0 min-w-0 flex-1", result.isRejected && "opacity-60")}>
          <Stage result={result} index={index} title={title} look={look} zoom={zoom} onZoom={onZoom} onSwipe={step} />
        </div>
        <Edge command={next} isOff={isLast} />
      </div>
    </FullDialog>
  );
}

function ViewerAct({ command }: { command: Command }) {
  const Icon = command.icon ?? Maximize;
  return (
    <IconButton {...useCommandProps(command)} label={command.label} onClick={command.run}>
      <Icon aria-hidden className="size-4" />
    </IconButton>
  );
}

/** A mark that the result has or has not. In words: a sign to reject it would look like one to close. */
function Mark({ command, isPressed }: { command: Command; isPressed: boolean }) {
  return (
    <Button
      {...useCommandProps(command)}
      size="sm"
      variant="ghost"
      aria-pressed={isPressed}
      onClick={command.run}
      className="aria-pressed:bg-selected aria-pressed:text-ink!"
    >
      {command.id === resultCommands.star.id && (
        <Star aria-hidden className={clsx("size-4", isPressed && "fill-current")} />
      )}
      {command.label}
      <Kbd command={command} />
    </Button>
  );
}

/** To the result before or after, in a margin of its own. */
function Edge({ command, isOff }: { command: Command; isOff: boolean }) {
  const Icon = command.icon ?? ChevronRight;
  return (
    <button
      type="button"
      {...useCommandProps(command)}
      aria-label={command.label}
      title={command.label}
      aria-disabled={isOff || undefined}
      onClick={() => !isOff && command.run()}
      className="grid w-14 shrink-0 cursor-pointer place-items-center border-0 bg-transparent text-ink-3 -outline-offset-4 hover:text-ink focus-visible:outline-2 focus-visible:outline-focus aria-disabled:cursor-default aria-disabled:opacity-30 max-sm:hidden"
    >
      <Icon aria-hidden className="size-5" />
    </button>
  );
}

interface StageProps {
  result: SheetResult;
  index: number;
  title: string;
  look: CellLook;
  zoom: Zoom;
  onZoom: (make: (zoom: Zoom) => Zoom) => void;
  onSwipe: (step: 1 | -1) => void;
}

const NO_FILE = { url: "", kind: "other" } as const;

function Stage({ result, index, title, look, zoom, onZoom, onSwipe }: StageProps) {
  const { files, job, requestId, view } = result;
  const isDeleted = useIsMediaDeleted(requestId ?? "");
  const item = files[index];
  const kind = useShownKind(item ?? NO_FILE);
  if (!item || !isDone(result)) {
    return (
      <div className="@container mx-auto h-full max-w-md">
        <CellState result={result} look={look} isTabStop />
      </div>
    );
  }
  const shown = {
    item,
    alt: title,
    payload: view.item.request.payload,
    createdAtSeconds: job?.createdAtSeconds,
    isDeleted,
    className: "rounded-none! bg-transparent!",
  };
  if (kind !== "image") return <PlayedMedia {...shown} key={item.url} hasCommands frameName={requestId} />;
  return (
    <ZoomPane zoom={zoom} onZoom={onZoom} onSwipe={onSwipe} className="h-full">
      <MediaView key={item.url} {...shown} className="aspect-auto! h-full rounded-none! bg-transparent!" />
    </ZoomPane>
  );
}
