import { clsx } from "clsx";
import { Maximize2, Star } from "lucide-react";
import { type Ref, useState } from "react";
import type { Job } from "#api/types.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { PlayedMedia } from "#media/show/played-media.tsx";
import { useShownKind } from "#media/show/use-media-state.ts";
import { FileActions, useFileStar } from "./file-actions.tsx";
import type { Place } from "./layout-files.ts";

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
 * One file of several. Images and clips are a button that shows them large, with their acts over it on hover and focus;
 * sounds and other files are used where they stand.
 */
export function GridCell({ job, index, place, isActive, isTouch, onActive, ...rest }: GridCellProps) {
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
          aria-label={isTouch && !isActive ? `Select ${name}` : `Show large: ${name}`}
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
          className="pointer-events-none absolute right-2.5 bottom-2.5 grid size-[26px] place-items-center rounded-[7px] bg-black/55 text-white"
        >
          <Maximize2 className="size-3.5" />
        </span>
      )}
      {isStarred && (
        <span
          aria-hidden="true"
          className={clsx(
            "pointer-events-none absolute top-2.5 right-2.5 grid size-[26px] place-items-center rounded-[7px] bg-black/55 text-white",
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
