import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { Area } from "./convert/draw-picture.ts";
import { movedArea, scaledArea } from "./crop-area.ts";

const ARROWS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** A picture with the part that is kept. Arrows move it, with Shift further; plus and minus change its size. */
export function CropFrame({
  src,
  picture,
  area,
  onArea,
}: {
  src: string;
  picture: { width: number; height: number };
  area: Area;
  onArea: (area: Area) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<{ x: number; y: number }>(undefined);
  const percent = (value: number, of: number) => `${(value / of) * 100}%`;

  function press(event: KeyboardEvent) {
    const arrow = ARROWS[event.key];
    const step = Math.max(1, Math.round(picture.width * (event.shiftKey ? 0.1 : 0.01)));
    if (arrow) onArea(movedArea(area, picture, { x: arrow.x * step, y: arrow.y * step }));
    else if (event.key === "+" || event.key === "=") onArea(scaledArea(area, picture, 1.05));
    else if (event.key === "-") onArea(scaledArea(area, picture, 1 / 1.05));
    else return;
    event.preventDefault();
  }
  function drag(event: PointerEvent) {
    const width = box.current?.clientWidth;
    if (!last.current || !width) return;
    const scale = picture.width / width;
    const by = { x: (event.clientX - last.current.x) * scale, y: (event.clientY - last.current.y) * scale };
    last.current = { x: event.clientX, y: event.clientY };
    onArea(movedArea(area, picture, by));
  }
  return (
    <div
      ref={box}
      className="relative mx-auto overflow-hidden rounded-sm bg-well"
      style={{
        aspectRatio: `${picture.width} / ${picture.height}`,
        width: `min(100%, calc(48dvh * ${picture.width / picture.height}))`,
      }}
    >
      <img src={src} alt="" draggable={false} className="absolute inset-0 size-full select-none" />
      <button
        type="button"
        aria-label="Part that is kept"
        aria-description="Arrow keys move it, Shift with an arrow moves it further, plus and minus change its size"
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          last.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={drag}
        onPointerUp={() => {
          last.current = undefined;
        }}
        // What is cut away is darkened by the shadow of the frame.
        className="absolute cursor-move touch-none rounded-none border-2 border-accent bg-transparent p-0 shadow-[0_0_0_9999px_rgb(0_0_0/0.6)]"
        style={{
          left: percent(area.x, picture.width),
          top: percent(area.y, picture.height),
          width: percent(area.width, picture.width),
          height: percent(area.height, picture.height),
        }}
      />
    </div>
  );
}
