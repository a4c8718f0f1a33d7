import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { Notice } from "#ui/notice.tsx";
import { Slider } from "#ui/slider.tsx";
import { type Area, drawPicture, type ReadPicture, readPicture } from "../convert/picture.ts";
import { readMedia } from "../fetch-media.ts";
import { nameInAddress } from "../file-address.ts";
import { croppedName, croppedSize, largestArea, movedArea, scaledArea } from "./crop-area.ts";

interface CropDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The picture: where it is, or itself where it is not stored yet. */
  source: string | File;
  /** What the picture is called, where that is known. */
  name: string | undefined;
  shape: { ratio: number; pixels: { width: number; height: number } | undefined; label: string };
  /** The cut, to be stored in the picture's place. */
  onCropped: (file: File) => void;
}

/** Cuts a picture to the proportions that the run asks for, and makes it no larger than the run will be. */
export function CropDialog({ open, onOpenChange, ...rest }: CropDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`Crop to ${rest.shape.label}`} size="md">
      <CropBody
        key={`${typeof rest.source === "string" ? rest.source : rest.source.name} ${rest.shape.label}`}
        {...rest}
        onClose={() => onOpenChange(false)}
      />
    </Dialog>
  );
}

interface Loaded {
  picture: ReadPicture;
  src: string;
}

function CropBody({
  source,
  name,
  shape,
  onCropped,
  onClose,
}: Omit<CropDialogProps, "open" | "onOpenChange"> & { onClose: () => void }) {
  const loaded = usePicture(source);
  const [area, setArea] = useState<Area>();
  const [isBusy, setIsBusy] = useState(false);
  if (loaded === "failed") {
    return (
      <Notice tone="error" title="This image can’t be cropped here">
        {typeof source === "string"
          ? "Its host allows this page to show it, but not to read it. Download it, then choose the downloaded file."
          : "This browser can’t read it. Convert it to PNG or JPEG first."}
      </Notice>
    );
  }
  if (!loaded) return <Skeleton className="h-64" />;
  const { picture, src } = loaded;
  const largest = largestArea(picture, shape.ratio);
  const chosen = area ?? largest;
  const size = croppedSize(chosen, shape.pixels);

  async function crop() {
    setIsBusy(true);
    const made = await drawPicture(picture, chosen, size);
    const originalName = name ?? (typeof source === "string" ? nameInAddress(source) : source.name) ?? "image";
    onCropped(
      new File([made], croppedName(originalName, made.type === "image/jpeg" ? "jpg" : "png"), { type: made.type }),
    );
    onClose();
  }
  return (
    // On a phone, where the dialog fills the window, the picture stands in the middle and the acts are in reach.
    <div className="flex flex-col gap-3 max-sm:min-h-full">
      <CropFrame src={src} picture={picture} area={chosen} onArea={setArea} />
      <div className="flex items-center gap-3">
        <span className="shrink-0 text-sm text-ink-2">Size</span>
        <Slider
          aria-label="Crop size, percent"
          min={10}
          max={100}
          value={Math.round((chosen.width / largest.width) * 100)}
          onChange={(event) =>
            setArea(scaledArea(chosen, picture, (Number(event.target.value) * largest.width) / 100 / chosen.width))
          }
        />
        <span className="w-10 shrink-0 text-right text-sm text-ink-2 tabular-nums">
          {Math.round((chosen.width / largest.width) * 100)}%
        </span>
      </div>
      <p className="m-0 text-sm text-ink-2 tabular-nums">
        {picture.width} × {picture.height} becomes {size.width} × {size.height}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={isBusy} onClick={() => void crop()}>
          Crop
        </Button>
      </div>
    </div>
  );
}

function usePicture(source: string | File): Loaded | "failed" | undefined {
  const [loaded, setLoaded] = useState<Loaded | "failed">();
  useEffect(() => {
    const controller = new AbortController();
    let close: (() => void) | undefined;
    async function load() {
      const blob = typeof source === "string" ? await readMedia(source, { signal: controller.signal }) : source;
      const picture = await readPicture(blob);
      const src = URL.createObjectURL(blob);
      close = () => {
        picture.close();
        URL.revokeObjectURL(src);
      };
      if (controller.signal.aborted) close();
      else setLoaded({ picture, src });
    }
    load().catch(() => !controller.signal.aborted && setLoaded("failed"));
    return () => {
      controller.abort();
      close?.();
    };
  }, [source]);
  return loaded;
}

const ARROWS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * A picture with a frame around the part that the cut leaves. Arrows move it, with Shift further; plus and minus change
 * its size.
 */
function CropFrame({
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
  const lastPoint = useRef<{ x: number; y: number }>(undefined);
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
    if (!lastPoint.current || !width) return;
    const scale = picture.width / width;
    const by = { x: (event.clientX - lastPoint.current.x) * scale, y: (event.clientY - lastPoint.current.y) * scale };
    lastPoint.current = { x: event.clientX, y: event.clientY };
    onArea(movedArea(area, picture, by));
  }
  return (
    <div
      ref={box}
      className="relative mx-auto overflow-hidden rounded-sm bg-well max-sm:my-auto"
      style={{
        aspectRatio: `${picture.width} / ${picture.height}`,
        width: `min(100%, calc(48dvh * ${picture.width / picture.height}))`,
      }}
    >
      <img src={src} alt="" draggable={false} className="absolute inset-0 size-full select-none" />
      <button
        type="button"
        aria-label="Crop area"
        aria-description="Arrow keys move it, Shift with an arrow moves it further, plus and minus change its size"
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          lastPoint.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={drag}
        onPointerUp={() => {
          lastPoint.current = undefined;
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
