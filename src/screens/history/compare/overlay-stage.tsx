import { clsx } from "clsx";
import { type CSSProperties, useEffect, useRef, useState } from "react";
import type { Zoom } from "#media/show/zoom.ts";
import { useZoomGestures, Zoomed } from "#media/show/zoom-pane.tsx";
import type { CompareMode, Pair } from "./compare-modes.ts";
import { letterOf } from "./compare-rows.ts";
import { type Sides, shownSizes, spanOf } from "./compare-scale.ts";
import { CompareTag } from "./compare-tag.tsx";
import { ComparedFile } from "./compared-file.tsx";
import { Divider } from "./divider.tsx";
import { percentOf, SQUARE, type StageProps, tagOf } from "./tag-facts.ts";

interface OverlayStageProps extends StageProps {
  mode: Exclude<CompareMode, "side">;
  pair: Pair;
}

/** Nearer to the divider than this a drag over a zoomed picture moves the divider, and not the picture. CSS pixels. */
const GRIP = 28;

/**
 * A file that cannot be shown says why: then both stand beside each other, so that it can be read. Moved by a transform,
 * so that nothing is laid out anew when a file fails.
 */
const APART =
  "group-has-[:is([data-phase=failed],[data-phase=held])]/stage:visible group-has-[:is([data-phase=failed],[data-phase=held])]/stage:mix-blend-normal group-has-[:is([data-phase=failed],[data-phase=held])]/stage:[clip-path:inset(0_25%)]! [&_[data-phase=failed]_:is(p,p~div)]:max-w-(--half)";
const A_APART = "group-has-[:is([data-phase=failed],[data-phase=held])]/stage:-translate-x-1/4";
const B_APART = "group-has-[:is([data-phase=failed],[data-phase=held])]/stage:translate-x-1/4";

/** Two files over each other: cut by a divider, shown in turn, or as their difference. */
export function OverlayStage({ mode, pair, ...stage }: OverlayStageProps) {
  const { entries, sides, known, room, scale, zoom, onZoom, largest, player } = stage;
  /** Where the divider stands, as a part of the stage. */
  const [split, setSplit] = useState(0.5);
  const divider = useRef<HTMLDivElement>(null);
  const turn = useFlicker(mode === "flicker");
  const two = pair.map((place) => entries[place]).filter((entry) => entry !== undefined);
  const sizes = shownSizes(
    pair.map((place) => sides[place] ?? SQUARE),
    room,
    scale,
  );
  const widest = Math.max(...sizes.map(({ width }) => width));
  const span = spanOf(room.width, widest, zoom);
  const left = Math.min(span.to, Math.max(span.from, split * room.width));
  const length = span.to - span.from;
  const share = length > 0 ? (100 * (left - span.from)) / length : 50;
  const setShare = (percent: number) => {
    const part = Math.min(100, Math.max(0, percent)) / 100;
    if (room.width > 0) setSplit((span.from + part * length) / room.width);
  };
  const isSlider = mode === "slider";
  const gestures = useZoomGestures(
    {
      onZoom,
      largest,
      ...(isSlider && {
        onDouble: () => setShare(50),
        onDrag: (event: PointerEvent, isStart: boolean) => {
          const box = stageOf(divider.current);
          if (!box) return false;
          const x = event.clientX - box.left;
          if (isStart && zoom.scale > 1 && Math.abs(x - left) > GRIP) return false;
          if (isStart) divider.current?.focus({ preventScroll: true });
          setSplit(Math.min(1, Math.max(0, x / Math.max(1, box.width))));
          return true;
        },
      }),
    },
    zoom.scale > 1,
  );
  const cut = room.width > 0 ? `inset(0 ${room.width - left}px 0 0)` : "inset(0 50% 0 0)";
  const [a, b] = two;
  if (!a || !b) return null;
  return (
    <div
      data-stage=""
      ref={gestures}
      className={clsx(
        "group/stage relative isolate h-full touch-none select-none overflow-hidden bg-canvas",
        isSlider ? "cursor-ew-resize" : zoom.scale > 1 && "cursor-grab active:cursor-grabbing",
      )}
      style={{ ["--half" as string]: `${Math.max(0, room.width / 2 - 24)}px` }}
    >
      {[b, a].map((entry, layer) => {
        const isTop = layer === 1;
        const side = isTop ? 0 : 1;
        return (
          <div
            key={entry.requestId}
            className={clsx(
              "absolute inset-0",
              APART,
              isTop ? A_APART : B_APART,
              mode === "difference" && isTop && "mix-blend-difference",
              mode === "flicker" && side !== turn && "invisible",
            )}
            style={isSlider && isTop ? { clipPath: cut } : undefined}
          >
            <Zoomed zoom={zoom}>
              <div className="pointer-events-none absolute inset-0 [&_button]:pointer-events-auto">
                <ComparedFile entry={entry} size={sizes[side] ?? SQUARE} player={player} />
              </div>
            </Zoomed>
          </div>
        );
      })}
      {isSlider && (
        <Divider
          ref={divider}
          left={left}
          share={share}
          onShare={setShare}
          names={[`A ${a.model ?? ""}`.trim(), `B ${b.model ?? ""}`.trim()]}
        />
      )}
      {[a, b].map((entry, side) => (
        <CompareTag
          key={entry.requestId}
          {...tagOf(stage, entry, percentOf(known[pair[side] ?? 0], sizes[side], zoom))}
          letter={letterOf(side)}
          isOver
          className={clsx(
            "absolute top-0 z-10 max-w-[min(420px,calc(var(--picture)/2-14px))]",
            side === 0 ? "left-0" : "right-0",
            mode === "flicker" && side !== turn && "opacity-40",
          )}
          style={tagPlace(side, room, sizes[side] ?? room, zoom, length)}
        />
      ))}
    </div>
  );
}

const MARGIN = 10;

/** In the upper corner of its own picture, as far as that is seen. Moved, not laid out: it follows the zoom. */
function tagPlace(side: number, room: Sides, picture: Sides, zoom: Zoom, length: number): CSSProperties {
  const { from, to } = spanOf(room.width, picture.width, zoom);
  const { from: top } = spanOf(room.height, picture.height, { scale: zoom.scale, x: zoom.y });
  const x = side === 0 ? from + MARGIN : to - room.width - MARGIN;
  return {
    transform: `translate(${x}px, ${Math.min(top, room.height / 2) + MARGIN}px)`,
    ["--picture" as string]: `${Math.max(length, Math.min(room.width, 300))}px`,
  };
}

const stageOf = (node: HTMLElement | null) => node?.closest("[data-stage]")?.getBoundingClientRect();

const FLICKER_MS = 600;

/** Whose turn it is, 0 or 1, while two are shown in turn. */
function useFlicker(isOn: boolean): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    const flicker = setInterval(() => setTurn((now) => 1 - now), FLICKER_MS);
    return () => clearInterval(flicker);
  }, [isOn]);
  return isOn ? turn : 0;
}
