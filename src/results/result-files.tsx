import { clsx } from "clsx";
import { LayoutGrid, Maximize2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { FileFacts, Job } from "#api/types.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { mediaAspect } from "#media/show/media-aspect.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { useCommands } from "#ui/commands.ts";
import { createGridPositions, cursorAfterKey, gridKeyOf, movedTo, NO_CURSOR } from "#ui/grid-cursor.ts";
import { useIsPhone, useIsTouch } from "#ui/use-media-query.ts";
import { useRoom } from "#ui/use-room.ts";
import { jobCommands } from "./commands.ts";
import { FileActions } from "./file-actions.tsx";
import { GridCell } from "./grid-cell.tsx";
import { useNoteLarge } from "./job-download.tsx";
import { LargeFile } from "./large-file.tsx";
import { layoutFiles, type Place } from "./layout-files.ts";
import { useExpectedResult } from "./waiting/use-expected-result.ts";

interface ResultFilesProps {
  /** With at least one file. */
  job: Job;
  /** What was asked for, where the service does not echo it. */
  payload: Job["payload"];
  /** What is known of the files themselves, in their order. */
  files: readonly FileFacts[];
}

/** On a phone a file alone leaves room for what stands below it. */
const PHONE_SHARE = 0.62;

/**
 * The files of a job: one alone as large as its pane, several as a grid of which one click makes one large. Arrows lead
 * from one to the next, Escape or another click back to the grid, and the focus with it.
 */
export function ResultFiles({ job, payload, files }: ResultFilesProps) {
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
                label: `Show result ${shown + 1} large`,
                icon: Maximize2,
                run: () => show(true),
              },
        ],
  );

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || count === 1) return;
    // A clip and a sound have arrow keys of their own; a dialog of an act lies elsewhere in the document.
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
    // The keys act on whatever of it has the focus.
    // biome-ignore lint/a11y/noStaticElementInteractions: the group itself is no control.
    <div className={clsx("flex flex-col gap-3", !isPhone && "min-h-0 flex-1")} onKeyDown={onKeyDown}>
      <div ref={roomRef} className={clsx("relative", !isPhone && "min-h-[260px] flex-1")}>
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
  const known = real.find((one) => one !== undefined);
  // The frame that was waited in had this shape.
  const expected = useExpectedResult(job.model, payload).aspect;
  return job.media.map((item, at) => {
    const sides = real[at] ?? (item.kind === "image" || item.kind === "video" ? known : undefined);
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
  const next = cursorAfterKey(gridKeyOf(event), movedTo(NO_CURSOR, `${from}`), createGridPositions(lines, ids));
  // At the edge the key scrolls the page.
  return next?.active === `${from}` ? undefined : Number(next?.active);
}

const MOVES = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);
