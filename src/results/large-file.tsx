import { clsx } from "clsx";
import { ChevronLeft, ChevronRight, LayoutGrid } from "lucide-react";
import { type Ref, useCallback, useRef, useState } from "react";
import type { Job } from "#api/types.ts";
import { useFileFacts } from "#media/file-facts.ts";
import { MediaView } from "#media/show/media-view.tsx";
import { fillScreen } from "#media/show/played-media.tsx";
import { usePlayer } from "#media/show/player.ts";
import { PlayerBar } from "#media/show/player-bar.tsx";
import { useShownKind } from "#media/show/use-media-state.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { FileActions } from "./file-actions.tsx";

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
/** What stands below a narrow file may be this much wider than it, so that it stays one line. */
const BAR_WIDTH = 640;
const LARGEST_WIDTH = 2400;

/** One file as large as the pane lets it be, with what can be done with it in a line below. */
export function LargeFile({ job, index, name, aspect, room, isTouch, boxRef, onStep, onClose }: LargeFileProps) {
  const item = job.media[index];
  const kind = useShownKind(item);
  const [barHeight, setBarHeight] = useState(BAR_HEIGHT);
  // In a narrow pane its acts take several lines, and the file gives them the room.
  const bar = useCallback((node: HTMLElement) => {
    const measure = () => setBarHeight(Math.max(BAR_HEIGHT, node.offsetHeight));
    measure();
    // Always a function: without one React calls this again with null when the line goes.
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
  const of = `${index + 1} of ${count}`;
  const isPlayed = kind === "video" || kind === "audio";
  const width = Math.min(room.width, LARGEST_WIDTH, Math.max(120, room.height - barHeight) * aspect);
  // What stands below a narrow file may be wider than it.
  const barWidth = Math.max(width, Math.min(room.width, BAR_WIDTH));
  return (
    <figure
      ref={boxRef}
      tabIndex={-1}
      aria-label={count > 1 ? `${name}, ${of}` : undefined}
      className="group/file m-0 mx-auto grid w-full content-center justify-items-center rounded-md outline-offset-4 [&:fullscreen]:bg-canvas"
    >
      <div ref={box} className="relative group-[:fullscreen]/file:w-full!" style={{ width }}>
        <MediaView
          key={item.url}
          item={item}
          alt={count > 1 ? `${name}, ${of}` : name}
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
                ? { url: item.url, name: `${job.model ?? "clip"}-${job.requestId.slice(0, 8)}` }
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
                Show all
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
